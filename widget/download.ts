/**
 * Downloads `url`. Rejects with a `TypeError`, as `fetch` does, if the file does not exist. The options have no prototype,
 * because a page may have added to `Object.prototype` what `fetch` reads as an option.
 */
export async function download(url: string | URL, cache: RequestCache = 'default'): Promise<Response> {
  const reply = await fetch(url, { __proto__: null, credentials: 'omit', cache } as RequestInit)
  if (!reply.ok) throw new TypeError('404')
  return reply
}
