/** An answer as received. */
export type Reply = {
  /** Whose answer it is. */
  readonly url: string
  readonly status: number
  readonly headers: Headers
  /** undefined if it was longer than any answer of the service. */
  readonly body: Uint8Array | undefined
}

const MOST_BYTES = 64 * 1024

export const readReply = async (response: Response, url: string): Promise<Reply> => ({
  url,
  status: response.status,
  headers: response.headers,
  body: await readBody(response),
})

async function readBody({ body }: Response): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of body ?? []) {
    length += chunk.length
    if (length > MOST_BYTES) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
