import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { newNonce } from '../../test/support/client.ts'
import { makeSite } from '../../test/support/make.ts'
import { exchange } from '../../test/support/socket.ts'
import { testApp, testSite } from '../../test/support/testApp.ts'

/**
 * Requests over a raw socket: each one's exact answer, and the state of the connection. Each is followed by one
 * more request, which detects a body parsed as a request, a request parsed as a body, and a stuck connection.
 */

const app = testApp()
const site = testSite(app)
let port: number
beforeAll(async () => {
  port = Number(new URL(app.url).port)
})

const SECRET = '<secret>'
const POST = 'POST /intents HTTP/1.1'
const HOST = 'Host: tollgate.test'
const KEY = `Authorization: Bearer ${SECRET}`
const JSON_TYPE = 'Content-Type: application/json'
const CHUNKED = 'Transfer-Encoding: chunked'
/** A probe that closes the connection: its answer shows that requests and answers still match. */
const LAST = `GET /healthz HTTP/1.1\r\n${HOST}\r\nConnection: close\r\n\r\n`

const lines = (...all: string[]) => `${all.join('\r\n')}\r\n\r\n`
const body = () => JSON.stringify({ action: 'checkout', nonce: newNonce(), hostname: 'shop.example' })
const sized = (text: string) => `Content-Length: ${Buffer.byteLength(text)}`
const chunk = (text: string, size = Buffer.byteLength(text).toString(16)) => `${size}\r\n${text}\r\n0\r\n\r\n`

/** A request that opens an intent, with the given changes. */
function intent(change: { line?: string; headers?: string[]; without?: string; text?: string } = {}): string {
  const text = change.text ?? body()
  const headers = [HOST, KEY, JSON_TYPE, sized(text)].filter((header) => header !== change.without)
  return lines(change.line ?? POST, ...headers, ...(change.headers ?? [])) + text
}

/** A request with a chunked body. */
const chunkedIntent = (chunks: string, header = CHUNKED) => lines(POST, HOST, KEY, JSON_TYPE, header) + chunks

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

const written = async () => Number((await app.rows<{ n: string }>('select count(*) as n from intent'))[0]?.n)

/** The answers in order. Compares each with the contract, and the rows written with the answers. */
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

/** Refused by the parser. The connection is closed, so nothing after it is read as a request. */
describe('answers bad-request to a malformed message and closes the connection', () => {
  const text = body()
  const unframed: [string, string | Buffer][] = [
    ['two Content-Length headers', intent({ text, headers: [sized(text)] })],
    ['two different Content-Length headers', intent({ headers: ['Content-Length: 3'] })],
    [
      'a list of lengths',
      intent({ text, without: sized(text), headers: [`Content-Length: ${text.length}, ${text.length}`] }),
    ],
    ['a length with a sign', intent({ text, without: sized(text), headers: [`Content-Length: +${text.length}`] })],
    ['a negative length', intent({ text, without: sized(text), headers: ['Content-Length: -1'] })],
    ['a hexadecimal length', intent({ text, without: sized(text), headers: ['Content-Length: 0x80'] })],
    ['an empty length', intent({ text, without: sized(text), headers: ['Content-Length:'] })],
    ['a length that overflows', intent({ text, without: sized(text), headers: [`Content-Length: ${'9'.repeat(25)}`] })],
    ['a length of two numbers', intent({ text, without: sized(text), headers: [`Content-Length: ${text.length} 0`] })],
    ['Content-Length with Transfer-Encoding', lines(POST, HOST, KEY, JSON_TYPE, sized(text), CHUNKED) + chunk(text)],
    ['Transfer-Encoding with Content-Length', lines(POST, HOST, KEY, JSON_TYPE, CHUNKED, sized(text)) + chunk(text)],
    ['chunked, then gzip', chunkedIntent(chunk(text), 'Transfer-Encoding: chunked, gzip')],
    ['identity as a transfer encoding', chunkedIntent(chunk(text), 'Transfer-Encoding: identity')],
    ['an unknown transfer encoding', chunkedIntent(chunk(text), 'Transfer-Encoding: xchunked')],
    ['chunked twice', chunkedIntent(chunk(text), `${CHUNKED}\r\n${CHUNKED}`)],
    ['chunked behind a vertical tab', chunkedIntent(chunk(text), 'Transfer-Encoding:\x0bchunked')],
    ['a space before the colon', chunkedIntent(chunk(text), 'Transfer-Encoding : chunked')],
    ['a chunk size that is no number', chunkedIntent(chunk(text, 'zz'))],
    ['a negative chunk size', chunkedIntent(chunk(text, '-1'))],
    ['a chunk size with 0x', chunkedIntent(chunk(text, `0x${text.length.toString(16)}`))],
    ['a chunk size beyond all numbers', chunkedIntent(chunk(text, 'f'.repeat(17)))],
    ['chunks ended by bare line feeds', chunkedIntent(chunk(text).replaceAll('\r\n', '\n'))],
    ['a folded header', intent({ headers: ['X-A: b\r\n c'] })],
    ['a folded key', intent({ without: KEY, headers: [`Authorization: Bearer\r\n ${SECRET}`] })],
    ['bare line feeds', intent().replaceAll('\r\n', '\n')],
    ['one bare line feed', intent({ headers: ['X-A: b\nX-B: c'] })],
    ['one bare carriage return', intent({ headers: ['X-A: b\rX-B: c'] })],
    ['a NUL in a header', intent({ headers: ['X-A: b\0c'] })],
    ['a NUL in a header’s name', intent({ headers: ['X\0A: b'] })],
    ['a space in a header’s name', intent({ headers: ['X A: b'] })],
    ['a header without a name', intent({ headers: [': b'] })],
    ['a header without a colon', intent({ headers: ['garbage'] })],
    ['a header of 20 KiB', intent({ headers: [`X-A: ${'a'.repeat(20_000)}`] })],
    ['a target of 20 KiB', intent({ line: `POST /intents?${'a'.repeat(20_000)} HTTP/1.1` })],
    ['10,000 headers', intent({ headers: Array.from({ length: 10_000 }, () => 'a:b') })],
    ['a target without a slash', intent({ line: 'POST intents HTTP/1.1' })],
    ['a target with a backslash', intent({ line: 'POST \\intents HTTP/1.1' })],
    ['a target with a space', intent({ line: 'POST /intents x HTTP/1.1' })],
    ['a target beyond ASCII', intent({ line: 'POST /int\xe9nts HTTP/1.1' })],
    ['a space before the method', ` ${intent()}`],
    ['an unknown method', intent({ line: 'FOO /intents HTTP/1.1' })],
    ['a method in lower case', intent({ line: 'post /intents HTTP/1.1' })],
    ['HTTP/0.9', 'GET /intents\r\n'],
    ['HTTP/1.2', intent({ line: 'POST /intents HTTP/1.2' })],
    ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['the hello of TLS', Buffer.from('16030100f8010000f40303', 'hex')],
    ['noise', Buffer.from([0, 255, 13, 10, 13, 10, 127])],
  ]
  test.each(unframed)('%s', async (_what, request) => {
    expect(await answersTo([request, LAST])).toEqual(['bad-request'])
  })
})

describe('answers a well-formed message once and keeps the connection', () => {
  const text = body()
  const wrong = intent({ text: '{' })
  const old = body()
  const path = (line: string): string => intent({ line: `POST ${line} HTTP/1.1` })
  const framed: Row[] = [
    ['an intent', intent(), 'opened'],
    ['a chunked body', chunkedIntent(chunk(body())), 'opened'],
    ['chunked in capitals', chunkedIntent(chunk(body()), 'TRANSFER-ENCODING: CHUNKED'), 'opened'],
    ['chunked behind a tab', chunkedIntent(chunk(body()), 'Transfer-Encoding:\tchunked'), 'opened'],
    ['a chunk extension', chunkedIntent(chunk(text, `${text.length.toString(16)};a=b`)), 'opened'],
    [
      'a key among the trailers',
      chunkedIntent(chunk(body()).replace(/\r\n$/, 'Authorization: Bearer x\r\n\r\n')),
      'opened',
    ],
    ['a header beyond ASCII', intent({ headers: ['X-A: \xff'] }), 'opened'],
    ['2,500 headers', intent({ headers: Array.from({ length: 2500 }, () => 'a:b') }), 'opened'],
    ['a blank line before', `\r\n\r\n${intent()}`, 'opened'],
    ['the key twice', intent({ headers: [KEY] }), 'unauthorized'],
    [
      'another key after 2,500 headers',
      intent({ headers: [...Array.from({ length: 2500 }, () => 'a:b'), 'Authorization: Bearer x'] }),
      'unauthorized',
    ],
    [
      'an empty key before the right one',
      lines(POST, HOST, 'Authorization:', KEY, JSON_TYPE, sized(text)) + text,
      'unauthorized',
    ],
    ['no Host', intent({ without: HOST }), 'bad-request'],
    ['two Hosts', intent({ headers: ['Host: other.test'] }), 'bad-request'],
    ['no length and no body', lines(POST, HOST, KEY, JSON_TYPE), 'bad-request'],
    ['a length of 0', lines(POST, HOST, KEY, JSON_TYPE, 'Content-Length: 0'), 'bad-request'],
    ['a body that is no JSON', wrong, 'bad-request'],
    ['GET', lines('GET /intents HTTP/1.1', HOST), 'method-not-allowed'],
    ['GET with a body', intent({ line: 'GET /intents HTTP/1.1', text: LAST }), 'method-not-allowed'],
    ['PUT with a request for a body', intent({ line: 'PUT /intents HTTP/1.1', text: LAST }), 'method-not-allowed'],
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
    ['an unknown path with a request for a body', intent({ line: 'POST /nowhere HTTP/1.1', text: LAST }), 'not-found'],
    ['an unknown path with 20 KiB', intent({ line: 'POST /nowhere HTTP/1.1', text: 'x'.repeat(20_000) }), 'not-found'],
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
    ['Expect: 100-continue', intent({ headers: ['Expect: 100-continue'] }), 'opened'],
    ['an unknown expectation', intent({ headers: ['Expect: 200-ok'] }), 'opened'],
    ['a body encoded as itself', intent({ headers: ['Content-Encoding: identity'] }), 'opened'],
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

describe('closes the connection after an answer before the body was read', () => {
  const text = body()
  const zipped = gzipSync(text)
  const unread: Row[] = [
    ['two Content-Types', intent({ headers: [JSON_TYPE] }), 'unsupported-media-type'],
    ['no Content-Type', intent({ without: JSON_TYPE }), 'unsupported-media-type'],
    ['an empty Content-Type', intent({ without: JSON_TYPE, headers: ['Content-Type:'] }), 'unsupported-media-type'],
    [
      'Latin-1',
      intent({ without: JSON_TYPE, headers: [`${JSON_TYPE}; charset=iso-8859-1`] }),
      'unsupported-media-type',
    ],
    ['UTF-16', intent({ without: JSON_TYPE, headers: [`${JSON_TYPE}; charset=utf-16`] }), 'unsupported-media-type'],
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
      intent({ headers: ['Content-Encoding: identity', 'Content-Encoding: gzip'] }),
      'unsupported-media-type',
    ],
    ['a gzip transfer', chunkedIntent(chunk(text), 'Transfer-Encoding: gzip, chunked'), 'unsupported-media-type'],
    ['a length of 20,000', intent({ text: 'x'.repeat(20_000) }), 'payload-too-large'],
    ['20,000 bytes in a chunk', chunkedIntent(chunk('x'.repeat(20_000))), 'payload-too-large'],
    ['a length that never comes', lines(POST, HOST, KEY, JSON_TYPE, 'Content-Length: 999999999'), 'payload-too-large'],
  ]
  test.each(unread)('%s', async (_what, request, answer) => {
    expect(await answersTo([request, LAST])).toEqual([answer])
  })
})

describe('the connection', () => {
  test('answers pipelined requests in their order', async () => {
    expect(await answersTo([intent() + intent({ text: '{' }) + intent() + LAST])).toEqual([
      'opened',
      'bad-request',
      'opened',
      'alive',
    ])
  })
  test('answers complete requests before it rejects malformed bytes', async () => {
    expect(await answersTo([`${intent()}\0\0\r\n\r\n`])).toEqual(['opened', 'bad-request'])
    expect(await answersTo([`${intent()}${intent({ headers: [`Content-Length: 1`] })}`])).toEqual([
      'opened',
      'bad-request',
    ])
  })
  test('does not answer a request again if its body is malformed after its answer', async () => {
    expect(await answersTo([lines('POST /nowhere HTTP/1.1', HOST, CHUNKED), 200, 'zz\r\n', LAST])).toEqual([
      'not-found',
    ])
  })
  test('answers a body that becomes malformed', async () => {
    expect(await answersTo([chunkedIntent('2\r\n{"\r\n'), 100, 'zz\r\n', LAST])).toEqual(['bad-request'])
  })
  test('closes when the client requested it', async () => {
    expect(await answersTo([intent({ headers: ['Connection: close'] }) + LAST])).toEqual(['opened'])
    expect(await answersTo([intent({ headers: ['Connection: close, keep-alive'] }) + LAST])).toEqual(['opened'])
    expect(await answersTo([lines('POST /intents HTTP/1.0', KEY, JSON_TYPE, 'Content-Length: 1') + '{', LAST])).toEqual(
      ['bad-request'],
    )
  })
  test('closes after an answer to a protocol upgrade', async () => {
    expect(await answersTo([intent({ headers: ['Connection: Upgrade', 'Upgrade: websocket'] }) + LAST])).toEqual([
      'opened',
    ])
    expect(
      await answersTo([
        intent({ headers: ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABk'] }),
        LAST,
      ]),
    ).toEqual(['opened'])
    expect(await answersTo([lines('CONNECT shop.example:443 HTTP/1.1', HOST), LAST])).toEqual([])
    expect(await answersTo([lines('CONNECT /intents HTTP/1.1', HOST) + LAST])).toEqual([])
  })
  test('answers a client that has closed its sending side', async () => {
    expect(await answersTo([intent({ headers: ['Connection: close'] })], { halfClose: true })).toEqual(['opened'])
    expect(await answersTo([intent()], { halfClose: true })).toEqual(['opened'])
  })
  test('discards an incomplete request of a client that disconnects', async () => {
    expect(await answersTo([intent().slice(0, -5)], { halfClose: true })).toEqual(['bad-request'])
    expect(await answersTo([intent().slice(0, 40)], { halfClose: true })).toEqual(['bad-request'])
    expect(await answersTo([''], { halfClose: true })).toEqual([])
  })
  test('accepts a request in any chunks', async () => {
    const text = intent().replaceAll(SECRET, site.secret)
    const pieces = Array.from({ length: 60 }, (_, i) => [text.slice(i * 5, i * 5 + 5), 2]).flat()
    expect(await answersTo([...pieces, text.slice(300), LAST])).toEqual(['opened', 'alive'])
  })
  test('closes after a request of another protocol version', async () => {
    expect(await answersTo([intent({ line: 'POST /intents HTTP/2.0' }), LAST])).toEqual(['bad-request'])
    expect(await answersTo([intent({ line: 'POST /intents HTTP/0.9' }), LAST])).toEqual(['bad-request'])
  })
  test('answers a client that sends far too much', async () => {
    expect(await answersTo([intent({ text: 'x'.repeat(5_000_000) })])).toEqual(['payload-too-large'])
  })
})

/** 10 s, where it is not shortened. */
const REQUEST_TIMEOUT = 2000
const slow = testApp({}, { requestTimeout: REQUEST_TIMEOUT })

describe.concurrent('drops a request that is incomplete when its time is over', () => {
  const drips = (texts: Iterable<string>) =>
    Array.from(texts)
      .flatMap((text) => [text, REQUEST_TIMEOUT / 10])
      .slice(0, 40)
  const chunks = Array.from(body(), (letter) => `1\r\n${letter}\r\n`)
  const incomplete: [string, () => readonly (string | number)[]][] = [
    ['a body of one byte at a time', () => [intent().replace(/\{.*$/s, ''), ...drips(body())]],
    ['chunks of one byte at a time', () => [lines(POST, HOST, KEY, JSON_TYPE, CHUNKED), ...drips(chunks)]],
    ['headers of one byte at a time', () => drips(intent())],
    ['a body that lacks its last byte', () => [intent().slice(0, -1)]],
    ['headers that stop', () => [intent().slice(0, 30)]],
    ['a slow body to nowhere', () => [lines('POST /nowhere HTTP/1.1', HOST, 'Content-Length: 500'), ...drips(body())]],
  ]
  test.each(incomplete)('%s', async (what, parts) => {
    const { secret } = await makeSite(slow.ctx)
    const sent = parts().map((part) => (typeof part === 'string' ? part.replaceAll(SECRET, secret) : part))
    const { replies, rest, closed } = await exchange(Number(new URL(slow.url).port), sent, { patience: 18_000 })
    expect(await slow.rows('select from intent')).toEqual([])
    expect([closed, rest]).toEqual([true, ''])
    expect(replies.map((reply) => reply.status)).toEqual(what.endsWith('nowhere') ? [404] : [])
  })
})
