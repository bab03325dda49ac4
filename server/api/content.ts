import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** A document that all its readers share: made, compressed and hashed once, and sent without a copy. */
export type Content = Readonly<{
  type: string
  plain: Buffer
  /** Absent where the document is compressed already. */
  zipped: Buffer | undefined
  /** Of the plain form; that of the compressed one ends in `-gz`. */
  tag: string
}>

/** `zipped`: the same compressed with gzip, where that was done before; null: compressing it again is of no use. */
export function contentOf(body: string | Uint8Array, type: string, zipped?: Uint8Array | null): Content {
  const plain =
    typeof body === 'string' ? Buffer.from(body) : Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  return {
    type,
    plain,
    zipped:
      zipped === null
        ? undefined
        : zipped
          ? Buffer.from(zipped.buffer, zipped.byteOffset, zipped.byteLength)
          : gzipSync(plain),
    tag: createHash('sha256').update(plain).digest('base64url').slice(0, 22),
  }
}

/** The result of `make`, which is called once. */
export function once<Out>(make: () => Out): () => Out {
  let made: { value: Out } | undefined
  return () => (made ??= { value: make() }).value
}

/** Sends a document, compressed if the client understands it, or 304 if the client already has it. */
export function sendContent(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  { type, plain, zipped, tag }: Content,
  cacheControl: string,
): FastifyReply {
  const zips = zipped !== undefined && /\bgzip\b/.test(String(headers['accept-encoding']))
  const etag = `"${tag}${zips ? '-gz' : ''}"`
  void reply.header('etag', etag).header('cache-control', cacheControl)
  if (zipped) void reply.header('vary', 'Accept-Encoding')
  if (headers['if-none-match'] === etag) return reply.code(304).send()
  if (zips) void reply.header('content-encoding', 'gzip')
  return reply.type(type).send(zips ? zipped : plain)
}
