import { exchange } from '../../test/support/socket.ts'
import { faultOf } from './contract.ts'
import { fuzz, type Random, type Seen, type Target } from './random.ts'

const PATIENCE_MS = 15_000

const UUID = '01890000-0000-7000-8000-000000000000'
const HEX = 'ab'.repeat(32)

function bodies({ site }: Target, random: Random): Record<string, object> {
  return {
    '/intents': {
      action: 'checkout',
      nonce: `fuzz-${random.below(1e9)}-${random.below(1e9)}`,
      hostname: 'shop.example',
      session: HEX,
    },
    '/siteverify': {
      response: 'tgr_AAAA',
      intent_id: UUID,
      action: 'checkout',
      hostname: 'shop.example',
      idempotency_key: 'k'.repeat(20),
    },
    '/feedback': {
      decision_id: `dec_${'0'.repeat(32)}`,
      event_id: UUID,
      outcome: 'unknown',
      business_type: 'order',
      occurred_at: 1,
    },
    '/grants': { decision_id: `dec_${'0'.repeat(32)}`, session: HEX, ttl: 60 },
    '/grants/revoke': { session: HEX },
    '/challenge': { sitekey: site.sitekey, intent_id: UUID },
    '/solve': { sitekey: site.sitekey, intent_id: UUID, challenge: 'AAAA', solution: 'AAAA' },
  }
}

function validRequest(target: Target, random: Random): string {
  const [path, fields] = random.pick(Object.entries(bodies(target, random)))
  const text = JSON.stringify(fields)
  const chunked = random.chance(0.25)
  const head = [
    `POST ${path} HTTP/1.1`,
    'Host: tollgate.test',
    `Authorization: Bearer ${random.chance(0.8) ? target.site.secret : target.other.secret}`,
    'Content-Type: application/json',
    'Origin: https://shop.example',
    `X-Forwarded-For: 10.${random.below(256)}.${random.below(256)}.${random.below(256)}`,
    chunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${text.length}`,
  ]
  const body = chunked ? `${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n` : text
  return `${head.join('\r\n')}\r\n\r\n${body}`
}

const TOKENS = [
  ['\r\n', '\n', '\r', '\0', ' ', '\t', ':', ';', ',', '"', '{', '}', '\\', '%00', '%', '../', '//', '?', '#', '*'],
  ['\xff', '\x7f', '\x0b', '0\r\n\r\n', '\r\n\r\n', 'HTTP/1.0', 'HTTP/2.0', 'GET ', 'HEAD ', 'OPTIONS ', 'CONNECT '],
].flat()
const HEADERS = `Transfer-Encoding: chunked|Transfer-Encoding: identity|Transfer-Encoding:\tchunked
Transfer-Encoding: gzip, chunked|TE: trailers|Content-Length: 5|Content-Length: 0|Content-Length: -1|Content-Length: 99999
Content-Length: 99999999999999999999|Host: other.test|Authorization: Bearer x|Authorization: Basic eDp4
Content-Type: text/plain|Content-Type: application/json;charset=utf-16|Content-Encoding: gzip|Connection: close
Connection: keep-alive|Connection: Upgrade|Upgrade: websocket|Upgrade: h2c|Expect: 100-continue|Expect: x|Origin: null
Origin: https://evil.example|Access-Control-Request-Method: POST|X-Forwarded-For: ::1|X-Forwarded-For: nonsense
X-Forwarded-Host: evil.example|Trailer: Authorization|Range: bytes=0-1| folded: x|X-Long: `.split(/[|\n]/)

const splice = (text: string, at: number, remove: number, insert: string) =>
  text.slice(0, at) + insert + text.slice(at + remove)

const noise = (random: Random, length: number) =>
  String.fromCharCode(...Array.from({ length }, () => random.below(256)))

type Mutation = (text: string, random: Random) => string

/** Changes the lines of the head and keeps the rest. */
const inHead =
  (change: (lines: string[], random: Random) => void): Mutation =>
  (text, random) => {
    const end = text.indexOf('\r\n\r\n')
    const lines = text.slice(0, Math.max(0, end)).split('\r\n')
    change(lines, random)
    return lines.join('\r\n') + text.slice(Math.max(0, end))
  }

const MUTATIONS: readonly Mutation[] = [
  (text, random) => splice(text, random.below(text.length), 1, noise(random, 1)),
  (text, random) => splice(text, random.below(text.length), 0, noise(random, 1 + random.below(8))),
  (text, random) => splice(text, random.below(text.length), 1 + random.below(12), ''),
  (text, random) => splice(text, random.below(text.length), random.below(3), random.pick(TOKENS)),
  (text, random) => splice(text, random.below(text.length), random.below(3), random.pick(TOKENS)),
  (text, random) => text.slice(0, random.below(text.length)),
  (text, random) => {
    const at = random.below(text.length)
    return splice(text, at, 0, text.slice(at, at + random.below(200)))
  },
  (text, random) =>
    splice(
      text,
      random.below(text.length),
      0,
      random.pick(['a', '[', '{"a":', '\0', ' ', '\r\n']).repeat(random.below(20_000)),
    ),
  (text, random) => text.replace(/\d+/g, (digits) => (random.chance(0.2) ? String(random.below(100_000)) : digits)),
  inHead((lines, random) => lines.splice(1 + random.below(lines.length), 0, random.pick(HEADERS))),
  inHead((lines, random) => lines.splice(1 + random.below(lines.length), 0, random.pick(HEADERS))),
  inHead((lines, random) => lines.splice(1 + random.below(lines.length), 1)),
  inHead((lines, random) => lines.splice(1 + random.below(lines.length), 0, random.pick(lines))),
  inHead((lines, random) =>
    lines.splice(
      0,
      1,
      (lines[0] ?? '').replace(
        /^\w+/,
        random.pick(['GET', 'HEAD', 'PUT', 'OPTIONS', 'DELETE', 'TRACE', 'QUERY', 'M-SEARCH', 'post']),
      ),
    ),
  ),
  inHead((lines, random) => {
    const at = random.below(lines.length)
    const line = lines[at] ?? ''
    lines[at] = random.chance(0.5)
      ? line.toUpperCase()
      : line.replace(': ', random.pick([':', ' : ', ':\t', ':\x0b', '=']))
  }),
  (text, random) => text.replaceAll('\r\n', random.pick(['\n', '\r', '\r\n ', '\r\n\r\n'])),
]

/** The bytes of one fuzzed connection: one request or several, mutated up to four times. */
function fuzzedBytes(target: Target, random: Random): string {
  let text = validRequest(target, random)
  while (random.chance(0.15)) text += validRequest(target, random)
  for (let i = random.below(5); i > 0; i--) text = random.pick(MUTATIONS)(text === '' ? 'x' : text, random)
  return text
}

/**
 * Mutates valid requests at the level of bytes and headers and sends each over its own connection. No reply may be outside the
 * contract, and no connection may hang.
 */
export function fuzzBytes(target: Target, options: { count: number; seed: number }): Promise<Seen> {
  const port = Number(new URL(target.url).port)
  return fuzz(options, async (random, note) => {
    const text = fuzzedBytes(target, random)
    const cut = random.below(text.length + 1)
    const parts = random.chance(0.2) ? [text.slice(0, cut), 2, text.slice(cut)] : [text]
    const isBodiless = /(^|\n)HEAD /.test(text)
    const { replies, rest, closed } = await exchange(port, parts, {
      halfClose: true,
      patience: PATIENCE_MS,
      from: `127.0.${random.below(200)}.${1 + random.below(250)}`,
      bodiless: isBodiless ? 99 : 0,
    })
    const blame = (why: string) => note.fault(`${why}: ${JSON.stringify(text.slice(0, 2000))}`)
    if (!closed) blame('the connection hangs')
    note.answer(`${isBodiless ? 'HEAD' : replies.length} replies`)
    for (const { status, headers, body } of replies) {
      // after a HEAD, the other bodies cannot be distinguished from its own
      const fault = isBodiless
        ? status >= 500 && 'a 5xx'
        : faultOf({ status, header: (name) => headers.get(name), body })
      note.answer(`${status} ${status === 200 || isBodiless ? '' : body}`)
      if (fault) blame(`${fault} ${status} ${body.slice(0, 200)}`)
    }
    if (isBodiless) return
    if (rest !== '') blame(`something behind the last reply: ${rest.slice(0, 200)}`)
    if (replies.length > (text.match(/HTTP\/\d/g)?.length ?? 0) + 1) blame(`${replies.length} replies`)
  })
}
