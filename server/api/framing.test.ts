import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '../testing/app.ts'
import { newNonce } from '../testing/client.ts'
import { type MadeSite, makeSite } from '../testing/make.ts'
import { exchange } from '../testing/socket.ts'

/**
 * What comes over a raw socket: each request's exact answer, and what becomes of the connection. After each there is one
 * more request, so that a body taken for a request, a request taken for a body, or a stuck connection would show.
 */

let app: TestApp
let site: MadeSite
let port: number
beforeAll(async () => {
  app = await openTestApp()
  site = await makeSite(app.ctx)
  port = Number(new URL(app.url).port)
})
afterAll(() => app.close())

const SECRET = '<secret>'
const POST = 'POST /intents HTTP/1.1'
const HOST = 'Host: tollgate.test'
const KEY = `Authorization: Bearer ${SECRET}`
const JSON_TYPE = 'Content-Type: application/json'
const CHUNKED = 'Transfer-Encoding: chunked'
/** A probe that closes the connection: its answer says that the connection was still in step. */
const LAST = `GET /healthz HTTP/1.1\r\n${HOST}\r\nConnection: close\r\n\r\n`

const lines = (...all: string[]) => `${all.join('\r\n')}\r\n\r\n`
const body = () => JSON.stringify({ action: 'checkout', nonce: newNonce(), hostname: 'shop.example' })
const sized = (text: string) => `Content-Length: ${Buffer.byteLength(text)}`
const chunk = (text: string, size = Buffer.byteLength(text).toString(16)) => `${size}\r\n${text}\r\n0\r\n\r\n`

/** A request that opens a permit, but for what is given. */
function permit(change: { line?: string; headers?: string[]; without?: string; text?: string } = {}): string {
  const text = change.text ?? body()
  const headers = [HOST, KEY, JSON_TYPE, sized(text)].filter((header) => header !== change.without)
  return lines(change.line ?? POST, ...headers, ...(change.headers ?? [])) + text
}

/** A request with a chunked body. */
const chunkedPermit = (chunks: string, header = CHUNKED) => lines(POST, HOST, KEY, JSON_TYPE, header) + chunks

const ANSWERS = {
  opened: [
    200,
    /^\{"intent_id":"[^"]+","sitekey":"[^"]+","action":"checkout","hostname":"shop.example","expires_at":\d+\}$/,
  ],
  alive: [200, /^\{"status":"ok"\}$/],
  'bad-request': [400, /^\{"error":"bad-request"\}$/],
  unauthorized: [401, /^\{"error":"unauthorized"\}$/],
  'not-found': [404, /^\{"error":"not-found"\}$/],
  'method-not-allowed': [405, /^\{"error":"method-not-allowed"\}$/],
  nothing: [405, /^$/],
  'payload-too-large': [413, /^\{"error":"payload-too-large"\}$/],
  'unsupported-media-type': [415, /^\{"error":"unsupported-media-type"\}$/],
} as const
type Answer = keyof typeof ANSWERS

const written = async () => Number((await app.sql.query<{ n: string }>('select count(*) as n from intent')).rows[0]?.n)

/** Which answers came, in their order; holds each against the contract, and what was written against them. */
async function answersTo(
  parts: readonly (string | Buffer | number)[],
  options: { halfClose?: boolean; bodiless?: number } = {},
): Promise<string[]> {
  const before = await written()
  const sent = parts.map((part) => (typeof part === 'string' ? part.replaceAll(SECRET, site.secret) : part))
  const { replies, rest, closed } = await exchange(port, sent, options)
  expect({ closed, rest }).toEqual({ closed: true, rest: '' })
  for (const { status, headers } of replies) {
    expect(headers.get('x-request-id')).toMatch(/^req_[0-9a-f]{32}$/)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('allow')).toBe(status === 405 ? 'POST' : undefined)
  }
  const answers = replies.map(({ status, body }) => {
    const known = Object.entries(ANSWERS).find(([, [code, shape]]) => code === status && shape.test(body))
    return known?.[0] ?? `${status} ${body}`
  })
  expect(await written()).toBe(before + answers.filter((answer) => answer === 'opened').length)
  return answers
}

type Row = [what: string, request: string | Buffer, answer: Answer]

/** Refused by the parser: the connection ends with it, so nothing behind it is ever read as a request. */
describe('what cannot be framed is bad-request, and the connection ends', () => {
  const text = body()
  const unframed: [string, string | Buffer][] = [
    ['two Content-Length headers', permit({ text, headers: [sized(text)] })],
    ['two different Content-Length headers', permit({ headers: ['Content-Length: 3'] })],
    [
      'a list of lengths',
      permit({ text, without: sized(text), headers: [`Content-Length: ${text.length}, ${text.length}`] }),
    ],
    ['a length with a sign', permit({ text, without: sized(text), headers: [`Content-Length: +${text.length}`] })],
    ['a negative length', permit({ text, without: sized(text), headers: ['Content-Length: -1'] })],
    ['a hexadecimal length', permit({ text, without: sized(text), headers: ['Content-Length: 0x80'] })],
    ['an empty length', permit({ text, without: sized(text), headers: ['Content-Length:'] })],
    [
      'a length beyond all numbers',
      permit({ text, without: sized(text), headers: [`Content-Length: ${'9'.repeat(25)}`] }),
    ],
    ['a length of two numbers', permit({ text, without: sized(text), headers: [`Content-Length: ${text.length} 0`] })],
    ['Content-Length with Transfer-Encoding', lines(POST, HOST, KEY, JSON_TYPE, sized(text), CHUNKED) + chunk(text)],
    ['Transfer-Encoding with Content-Length', lines(POST, HOST, KEY, JSON_TYPE, CHUNKED, sized(text)) + chunk(text)],
    ['chunked, then gzip', chunkedPermit(chunk(text), 'Transfer-Encoding: chunked, gzip')],
    ['identity as a transfer encoding', chunkedPermit(chunk(text), 'Transfer-Encoding: identity')],
    ['an unknown transfer encoding', chunkedPermit(chunk(text), 'Transfer-Encoding: xchunked')],
    ['chunked twice', chunkedPermit(chunk(text), `${CHUNKED}\r\n${CHUNKED}`)],
    ['chunked behind a vertical tab', chunkedPermit(chunk(text), 'Transfer-Encoding:\x0bchunked')],
    ['a space before the colon', chunkedPermit(chunk(text), 'Transfer-Encoding : chunked')],
    ['a chunk size that is no number', chunkedPermit(chunk(text, 'zz'))],
    ['a negative chunk size', chunkedPermit(chunk(text, '-1'))],
    ['a chunk size with 0x', chunkedPermit(chunk(text, `0x${text.length.toString(16)}`))],
    ['a chunk size beyond all numbers', chunkedPermit(chunk(text, 'f'.repeat(17)))],
    ['chunks ended by bare line feeds', chunkedPermit(chunk(text).replaceAll('\r\n', '\n'))],
    ['a folded header', permit({ headers: ['X-A: b\r\n c'] })],
    ['a folded key', permit({ without: KEY, headers: [`Authorization: Bearer\r\n ${SECRET}`] })],
    ['bare line feeds', permit().replaceAll('\r\n', '\n')],
    ['one bare line feed', permit({ headers: ['X-A: b\nX-B: c'] })],
    ['one bare carriage return', permit({ headers: ['X-A: b\rX-B: c'] })],
    ['a NUL in a header', permit({ headers: ['X-A: b\0c'] })],
    ['a NUL in a header’s name', permit({ headers: ['X\0A: b'] })],
    ['a space in a header’s name', permit({ headers: ['X A: b'] })],
    ['a header without a name', permit({ headers: [': b'] })],
    ['a header without a colon', permit({ headers: ['garbage'] })],
    ['a header of 20 KiB', permit({ headers: [`X-A: ${'a'.repeat(20_000)}`] })],
    ['a target of 20 KiB', permit({ line: `POST /intents?${'a'.repeat(20_000)} HTTP/1.1` })],
    ['10,000 headers', permit({ headers: Array.from({ length: 10_000 }, () => 'a:b') })],
    ['a target without a slash', permit({ line: 'POST intents HTTP/1.1' })],
    ['a target with a backslash', permit({ line: 'POST \\intents HTTP/1.1' })],
    ['a target with a space', permit({ line: 'POST /intents x HTTP/1.1' })],
    ['a target beyond ASCII', permit({ line: 'POST /int\xe9nts HTTP/1.1' })],
    ['a space before the method', ` ${permit()}`],
    ['an unknown method', permit({ line: 'FOO /intents HTTP/1.1' })],
    ['a method in lower case', permit({ line: 'post /intents HTTP/1.1' })],
    ['HTTP/0.9', 'GET /intents\r\n'],
    ['HTTP/1.2', permit({ line: 'POST /intents HTTP/1.2' })],
    ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['the hello of TLS', Buffer.from('16030100f8010000f40303', 'hex')],
    ['noise', Buffer.from([0, 255, 13, 10, 13, 10, 127])],
  ]
  test.each(unframed)('%s', async (_what, request) => {
    expect(await answersTo([request, LAST])).toEqual(['bad-request'])
  })
})

describe('what is framed has its one answer, and the connection goes on', () => {
  const text = body()
  const wrong = permit({ text: '{' })
  const old = body()
  const path = (line: string): string => permit({ line: `POST ${line} HTTP/1.1` })
  const framed: Row[] = [
    ['a permit', permit(), 'opened'],
    ['a chunked body', chunkedPermit(chunk(body())), 'opened'],
    ['chunked in capitals', chunkedPermit(chunk(body()), 'TRANSFER-ENCODING: CHUNKED'), 'opened'],
    ['chunked behind a tab', chunkedPermit(chunk(body()), 'Transfer-Encoding:\tchunked'), 'opened'],
    ['a chunk extension', chunkedPermit(chunk(text, `${text.length.toString(16)};a=b`)), 'opened'],
    [
      'a key among the trailers',
      chunkedPermit(chunk(body()).replace(/\r\n$/, 'Authorization: Bearer x\r\n\r\n')),
      'opened',
    ],
    ['a header beyond ASCII', permit({ headers: ['X-A: \xff'] }), 'opened'],
    ['2,500 headers', permit({ headers: Array.from({ length: 2500 }, () => 'a:b') }), 'opened'],
    ['a blank line before', `\r\n\r\n${permit()}`, 'opened'],
    ['the key twice', permit({ headers: [KEY] }), 'unauthorized'],
    [
      'another key behind 2,500 headers',
      permit({ headers: [...Array.from({ length: 2500 }, () => 'a:b'), 'Authorization: Bearer x'] }),
      'unauthorized',
    ],
    [
      'an empty key before the right one',
      lines(POST, HOST, 'Authorization:', KEY, JSON_TYPE, sized(text)) + text,
      'unauthorized',
    ],
    ['no Host', permit({ without: HOST }), 'bad-request'],
    ['two Hosts', permit({ headers: ['Host: other.test'] }), 'bad-request'],
    ['no length and no body', lines(POST, HOST, KEY, JSON_TYPE), 'bad-request'],
    ['a length of 0', lines(POST, HOST, KEY, JSON_TYPE, 'Content-Length: 0'), 'bad-request'],
    ['a body that is no JSON', wrong, 'bad-request'],
    ['GET', lines('GET /intents HTTP/1.1', HOST), 'method-not-allowed'],
    ['GET with a body', permit({ line: 'GET /intents HTTP/1.1', text: LAST }), 'method-not-allowed'],
    ['PUT with a request for a body', permit({ line: 'PUT /intents HTTP/1.1', text: LAST }), 'method-not-allowed'],
    ['TRACE', lines('TRACE /intents HTTP/1.1', HOST), 'method-not-allowed'],
    ['QUERY', lines('QUERY /intents HTTP/1.1', HOST), 'method-not-allowed'],
    ['PROPFIND', lines('PROPFIND /intents HTTP/1.1', HOST), 'method-not-allowed'],
    ['OPTIONS', lines('OPTIONS /intents HTTP/1.1', HOST), 'method-not-allowed'],
    [
      'OPTIONS with a body of an unreadable type',
      `${lines('OPTIONS /challenge HTTP/1.1', HOST, 'Content-Type: app\xb6', 'Content-Length: 1')}x`,
      'method-not-allowed',
    ],
    [
      'OPTIONS with 20 KiB',
      `${lines('OPTIONS /solve HTTP/1.1', HOST, JSON_TYPE, 'Content-Length: 20000')}${'x'.repeat(20_000)}`,
      'method-not-allowed',
    ],
    ['OPTIONS of everything', lines('OPTIONS * HTTP/1.1', HOST), 'not-found'],
    ['POST to everything', path('*'), 'not-found'],
    ['QUERY elsewhere', lines('QUERY /nowhere HTTP/1.1', HOST), 'not-found'],
    ['an unknown path with a request for a body', permit({ line: 'POST /nowhere HTTP/1.1', text: LAST }), 'not-found'],
    ['an unknown path with 20 KiB', permit({ line: 'POST /nowhere HTTP/1.1', text: 'x'.repeat(20_000) }), 'not-found'],
    ['the absolute form', path('http://other.test/intents'), 'opened'],
    ['the absolute form of another scheme', path('ftp://other.test/intents'), 'not-found'],
    ['a percent-encoded letter', path('/%69ntents'), 'not-found'],
    ['a broken percent-encoding', path('/intents%zz'), 'not-found'],
    ['an encoded NUL', path('/intents%00'), 'not-found'],
    ['an encoded slash', path('/grants%2Frevoke'), 'not-found'],
    ['two slashes', path('//intents'), 'not-found'],
    ['a trailing slash', path('/intents/'), 'not-found'],
    ['a dot', path('/./intents'), 'not-found'],
    ['two dots', path('/x/../intents'), 'not-found'],
    ['a matrix parameter', path('/intents;a=b'), 'not-found'],
    ['a fragment', path('/intents#x'), 'not-found'],
    ['a query', path('/intents?secret=x&a=b'), 'opened'],
    ['an empty query', path('/intents?'), 'opened'],
    ['a broken query', path('/intents?%zz&?#x'), 'opened'],
    [
      'HTTP/1.0 that keeps the connection',
      lines('POST /intents HTTP/1.0', KEY, JSON_TYPE, sized(old), 'Connection: keep-alive') + old,
      'opened',
    ],
    ['Expect: 100-continue', permit({ headers: ['Expect: 100-continue'] }), 'opened'],
    ['an unknown expectation', permit({ headers: ['Expect: 200-ok'] }), 'opened'],
    ['a body encoded as itself', permit({ headers: ['Content-Encoding: identity'] }), 'opened'],
  ]
  test.each(framed)('%s', async (_what, request, answer) => {
    expect(await answersTo([request, LAST])).toEqual([answer, 'alive'])
  })
  test('HEAD', async () => {
    expect(await answersTo([lines('HEAD /intents HTTP/1.1', HOST), LAST], { bodiless: 1 })).toEqual([
      'nothing',
      'alive',
    ])
  })
})

describe('what is answered before its body is read ends the connection', () => {
  const text = body()
  const zipped = gzipSync(text)
  const unread: Row[] = [
    ['two Content-Types', permit({ headers: [JSON_TYPE] }), 'unsupported-media-type'],
    ['no Content-Type', permit({ without: JSON_TYPE }), 'unsupported-media-type'],
    ['an empty Content-Type', permit({ without: JSON_TYPE, headers: ['Content-Type:'] }), 'unsupported-media-type'],
    [
      'Latin-1',
      permit({ without: JSON_TYPE, headers: [`${JSON_TYPE}; charset=iso-8859-1`] }),
      'unsupported-media-type',
    ],
    ['UTF-16', permit({ without: JSON_TYPE, headers: [`${JSON_TYPE}; charset=utf-16`] }), 'unsupported-media-type'],
    [
      'a gzip body',
      Buffer.concat([
        Buffer.from(lines(POST, HOST, JSON_TYPE, 'Content-Encoding: gzip', `Content-Length: ${zipped.length}`)),
        zipped,
      ]),
      'unsupported-media-type',
    ],
    [
      'two encodings',
      permit({ headers: ['Content-Encoding: identity', 'Content-Encoding: gzip'] }),
      'unsupported-media-type',
    ],
    ['a gzip transfer', chunkedPermit(chunk(text), 'Transfer-Encoding: gzip, chunked'), 'unsupported-media-type'],
    ['a length of 20,000', permit({ text: 'x'.repeat(20_000) }), 'payload-too-large'],
    ['20,000 bytes in a chunk', chunkedPermit(chunk('x'.repeat(20_000))), 'payload-too-large'],
    ['a length that never comes', lines(POST, HOST, KEY, JSON_TYPE, 'Content-Length: 999999999'), 'payload-too-large'],
  ]
  test.each(unread)('%s', async (_what, request, answer) => {
    expect(await answersTo([request, LAST])).toEqual([answer])
  })
})

describe('the connection', () => {
  test('answers pipelined requests in their order', async () => {
    expect(await answersTo([permit() + permit({ text: '{' }) + permit() + LAST])).toEqual([
      'opened',
      'bad-request',
      'opened',
      'alive',
    ])
  })
  test('answers what came whole before it says what it thinks of noise', async () => {
    expect(await answersTo([`${permit()}\0\0\r\n\r\n`])).toEqual(['opened', 'bad-request'])
    expect(await answersTo([`${permit()}${permit({ headers: [`Content-Length: 1`] })}`])).toEqual([
      'opened',
      'bad-request',
    ])
  })
  test('does not answer twice a request whose body breaks after its answer', async () => {
    expect(await answersTo([lines('POST /nowhere HTTP/1.1', HOST, CHUNKED), 200, 'zz\r\n', LAST])).toEqual([
      'not-found',
    ])
  })
  test('answers a body that breaks on the way', async () => {
    expect(await answersTo([chunkedPermit('2\r\n{"\r\n'), 100, 'zz\r\n', LAST])).toEqual(['bad-request'])
  })
  test('ends where the client said that it ends', async () => {
    expect(await answersTo([permit({ headers: ['Connection: close'] }) + LAST])).toEqual(['opened'])
    expect(await answersTo([permit({ headers: ['Connection: close, keep-alive'] }) + LAST])).toEqual(['opened'])
    expect(await answersTo([lines('POST /intents HTTP/1.0', KEY, JSON_TYPE, 'Content-Length: 1') + '{', LAST])).toEqual(
      ['bad-request'],
    )
  })
  test('ends after an answer to who wanted another protocol', async () => {
    expect(await answersTo([permit({ headers: ['Connection: Upgrade', 'Upgrade: websocket'] }) + LAST])).toEqual([
      'opened',
    ])
    expect(
      await answersTo([
        permit({ headers: ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABk'] }),
        LAST,
      ]),
    ).toEqual(['opened'])
    expect(await answersTo([lines('CONNECT shop.example:443 HTTP/1.1', HOST), LAST])).toEqual([])
    expect(await answersTo([lines('CONNECT /intents HTTP/1.1', HOST) + LAST])).toEqual([])
  })
  test('answers a client that has closed its half', async () => {
    expect(await answersTo([permit({ headers: ['Connection: close'] })], { halfClose: true })).toEqual(['opened'])
    expect(await answersTo([permit()], { halfClose: true })).toEqual(['opened'])
  })
  test('forgets half a request of who goes away', async () => {
    expect(await answersTo([permit().slice(0, -5)], { halfClose: true })).toEqual(['bad-request'])
    expect(await answersTo([permit().slice(0, 40)], { halfClose: true })).toEqual(['bad-request'])
    expect(await answersTo([''], { halfClose: true })).toEqual([])
  })
  test('takes a request in any pieces', async () => {
    const text = permit().replaceAll(SECRET, site.secret)
    const letters = Array.from({ length: 60 }, (_, i) => [text.slice(i * 5, i * 5 + 5), 2]).flat()
    expect(await answersTo([...letters, text.slice(300), LAST])).toEqual(['opened', 'alive'])
  })
  test('ends with a request of another protocol version', async () => {
    expect(await answersTo([permit({ line: 'POST /intents HTTP/2.0' }), LAST])).toEqual(['bad-request'])
    expect(await answersTo([permit({ line: 'POST /intents HTTP/0.9' }), LAST])).toEqual(['bad-request'])
  })
  test('tells who sends far too much', async () => {
    expect(await answersTo([permit({ text: 'x'.repeat(5_000_000) })])).toEqual(['payload-too-large'])
  })
})

describe.concurrent('a request that has not arrived whole 10 s after its first byte is dropped', () => {
  const drips = (text: string) =>
    Array.from(text)
      .flatMap((letter) => [letter, 1000])
      .slice(0, 40)
  const slow: [string, () => readonly (string | number)[]][] = [
    ['a body of one byte a second', () => [permit().replace(/\{.*$/s, ''), ...drips(body())]],
    [
      'chunks of one byte a second',
      () => [
        lines(POST, HOST, KEY, JSON_TYPE, CHUNKED),
        ...Array.from(body())
          .flatMap((letter) => [`1\r\n${letter}\r\n`, 1000])
          .slice(0, 40),
      ],
    ],
    ['headers of one byte a second', () => drips(permit())],
    ['a body that lacks its last byte', () => [permit().slice(0, -1)]],
    ['headers that stop', () => [permit().slice(0, 30)]],
    ['a slow body to nowhere', () => [lines('POST /nowhere HTTP/1.1', HOST, 'Content-Length: 500'), ...drips(body())]],
  ]
  test.each(slow)('%s', async (what, parts) => {
    const sent = parts().map((part) => (typeof part === 'string' ? part.replaceAll(SECRET, site.secret) : part))
    const before = await written()
    const { replies, rest, closed } = await exchange(port, sent, { patience: 18_000 })
    expect(await written()).toBe(before)
    expect(closed).toBe(true)
    expect(rest).toBe('')
    expect(replies.map((reply) => reply.status)).toEqual(what.endsWith('nowhere') ? [404] : [])
  })
})
