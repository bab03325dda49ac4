import type { IncomingMessage } from 'node:http'

/** Parameters may be empty (RFC 9110, 5.6.6), as in `application/json;`: only the charset is allowed. */
const JSON_TYPE = /^application\/json(?:(?:[ \t]*;)+[ \t]*charset=(?:utf-8|"utf-8"))?(?:[ \t]*;)*[ \t]*$/i

/** All values of a header, doubled ones included (Node keeps only the first of some). */
export function headerValues(request: IncomingMessage, name: string): string[] {
  const values: string[] = []
  const raw = request.rawHeaders
  for (let i = 0; i < raw.length; i += 2) {
    const header = raw[i] ?? ''
    if (header.length === name.length && header.toLowerCase() === name) values.push(raw[i + 1] ?? '')
  }
  return values
}

/** Whether the request announces one uncompressed JSON body, in UTF-8. */
export function isJson(request: IncomingMessage): boolean {
  const types = headerValues(request, 'content-type')
  const { 'content-encoding': encoding = 'identity', 'transfer-encoding': transfer = 'chunked' } = request.headers
  return (
    types.length === 1 &&
    JSON_TYPE.test(types[0] ?? '') &&
    encoding.toLowerCase() === 'identity' &&
    transfer.toLowerCase() === 'chunked'
  )
}
