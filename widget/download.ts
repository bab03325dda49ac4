/**
 * The file at `url`; rejects with a `TypeError`, as `fetch` does, if it is not there. Without a prototype, because a page
 * may have put into every object what `fetch` would take for an option.
 */
export async function download(url: string | URL, cache: RequestCache = 'default'): Promise<Response> {
  const reply = await fetch(url, { __proto__: null, credentials: 'omit', cache } as RequestInit)
  if (!reply.ok) throw new TypeError('404')
  return reply
}
