import { randomUUID } from 'node:crypto'
import { post } from '../../test/support/post.ts'
import { solvePuzzles } from '../../test/support/solver.ts'
import { faultOf } from './contract.ts'
import { fuzz, type Random, type Seen, type Target } from './random.ts'

const HANG_MS = 10_000
const UUID = '01890000-0000-7000-8000-000000000000'
const SESSIONS = ['a'.repeat(64), 'b'.repeat(64)] as const

type Body = Record<string, unknown>
type Intent = { intent_id: string; action: string; hostname: string; session?: string }

/** The latest objects of each kind, so that bodies refer to existing rows. */
class Stock<T> {
  private readonly items: T[] = []
  add(item: T): void {
    this.items.push(item)
    if (this.items.length > 200) this.items.shift()
  }
  pick(random: Random, otherwise: T): T {
    return this.items.length > 0 && random.chance(0.9) ? random.pick(this.items) : otherwise
  }
}

class Stocks {
  readonly intents = new Stock<Intent>()
  readonly challenges = new Stock<{
    intent_id: string
    challenge: string
    seed: string
    count: number
    target: number
  }>()
  readonly tokens = new Stock<Intent & { response: string }>()
  readonly decisions = new Stock<string>()
  readonly grants = new Stock<{ grant_id: string; session: string }>()
  readonly events = new Stock<string>()

  /** Stores the objects in the answer to a valid request. */
  keep(path: string, asked: Body, answer: Body): void {
    if (path === '/intents') this.intents.add({ ...asked, ...answer } as never)
    if (path === '/challenge' && 'seed' in answer) this.challenges.add({ ...answer, ...asked } as never)
    if (path === '/solve')
      this.tokens.add({ action: 'checkout', hostname: 'shop.example', ...asked, ...answer } as never)
    if (path === '/siteverify') this.decisions.add(String(answer['decision_id']))
    if (path === '/grants') this.grants.add({ ...asked, ...answer } as never)
    if (path === '/feedback') this.events.add(String(answer['event_id']))
  }
}

const PATHS = ['/intents', '/challenge', '/solve', '/siteverify', '/feedback', '/grants', '/grants/revoke'] as const
type Path = (typeof PATHS)[number]

/** A valid body that refers to existing objects. */
function rightBody(path: Path, { site }: Target, stocks: Stocks, random: Random): Body {
  const intent = stocks.intents.pick(random, { intent_id: UUID, action: 'checkout', hostname: 'shop.example' })
  const grant = stocks.grants.pick(random, { grant_id: UUID, session: SESSIONS[0] })
  switch (path) {
    case '/intents': {
      const exempt = random.chance(0.2)
      return {
        action: 'checkout',
        nonce: `fuzz-fuzz-fuzz-${random.below(1e9)}`,
        hostname: 'shop.example',
        session: exempt ? grant.session : SESSIONS[0],
        ...(random.chance(0.5) ? { subject: random.pick(SESSIONS) } : {}),
        ...(exempt ? { trusted_grant_id: grant.grant_id } : {}),
      }
    }
    case '/challenge':
      return { sitekey: site.sitekey, intent_id: intent.intent_id }
    case '/solve': {
      const none = { intent_id: UUID, challenge: 'AAAA', seed: '00'.repeat(16), count: 1, target: 0xffffffff }
      const challenge = stocks.challenges.pick(random, none)
      return {
        sitekey: site.sitekey,
        intent_id: challenge.intent_id,
        challenge: challenge.challenge,
        solution: solvePuzzles(challenge),
      }
    }
    case '/siteverify': {
      const { response, intent_id, action, hostname } = stocks.tokens.pick(random, { ...intent, response: 'tgr_AAAA' })
      return { response, intent_id, action, hostname, idempotency_key: `key-${intent_id}` }
    }
    case '/feedback': {
      const decision_id = stocks.decisions.pick(random, 'dec_0')
      const supersedes = random.chance(0.5) ? { supersedes_event_id: stocks.events.pick(random, UUID) } : {}
      return {
        decision_id,
        event_id: randomUUID(),
        outcome: random.pick(['confirmed_abuse', 'legitimate', 'unknown']),
        business_type: 'order',
        occurred_at: Math.floor(Date.now() / 1000),
        ...supersedes,
      }
    }
    case '/grants':
      return {
        decision_id: stocks.decisions.pick(random, 'dec_0'),
        session: SESSIONS[0],
        uses: 1 + random.below(10),
      }
    case '/grants/revoke':
      return random.chance(0.7) ? { grant_id: grant.grant_id } : { session: SESSIONS[1] }
  }
}

/** Values that break the rules of most fields. */
export const STRANGE: readonly unknown[] = [
  [null, true, 0, -1, 1.5, 2 ** 53, 1e308, [], {}, '', ' ', '\0', '\ud800', '\u212a', 'ａ'.repeat(20)],
  ['\u202e\u0000\ufeff', '💥'.repeat(32), '__proto__', "'; drop table intent; --", '{"$gt":""}', '%00', 'NaN'],
  ['../../etc/passwd', 'a'.repeat(5000), Array.from({ length: 200 }, () => 'x')],
].flat()
/** Names that are unknown to all endpoints. */
const UNKNOWN = [
  ['extra', '__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', '', 'Action', 'action\0'],
  ['ａction', '💥', 'length', 'x'.repeat(300)],
]
const SECRETS = ['secret', 'secret_key', 'secretKey', 'API-Key', 'api_secret', 'SECRET'] as const

/** A malformed body as text, which must not be answered with 200. */
type Breakage = (body: Body, random: Random) => string

const json = (value: unknown): string => JSON.stringify(value) ?? 'null'
const inserted = (body: Body, member: string): string => json(body).replace('{', `{${member},`).replace(',}', '}')
const anyName = (body: Body, random: Random): string => random.pick(Object.keys(body))

const BREAKAGES: readonly Breakage[] = [
  // most of these values are invalid for every field; the others may be valid by chance
  (body, random) =>
    json({
      ...body,
      [anyName(body, random)]: random.pick([null, true, [], {}, '', ' ', '\0', '\ud800', '\u212a', 1.5]),
    }),
  (body, random) => json({ ...body, [anyName(body, random)]: [body[anyName(body, random)]] }),
  (body, random) => inserted(body, `${json(random.pick(UNKNOWN))}:${json(random.pick(STRANGE))}`),
  (body, random) => inserted(body, `"${random.pick(SECRETS)}":1`),
  (body, random) => inserted(body, `"note":{"deep":[{"${random.pick(SECRETS)}":""}]}`),
  (body, random) => inserted(body, `"x":${'['.repeat(8 + random.below(5000))}${']'.repeat(8)}`),
  (body, random) => inserted(body, `"x":"${'x'.repeat(random.below(40_000))}"`),
  (body) => inserted(body, json(Object.entries(body).slice(0, 1).flat()[0]) + ':1'),
  (body, random) => `${json(body)}${random.pick(['x', '{}', ',', ']', '//', '\0', ' 1'])}`,
  (body, random) => random.pick(['', ' ', '\ufeff', '[', '(', 'null,', '\u00a0']) + json(body) + '}',
  (body, random) => json(body).slice(0, random.below(json(body).length - 1)),
  (_body, random) => json(random.pick(STRANGE)).replace(/^\{.*$/, '[]'),
  (body) => `[${json(body)}]`,
  (body) => json(body).replaceAll('"', "'"),
  (body) => json(body).replace(':', ':undefined,"y":'),
  (body, random) =>
    json(body).replace(/"([^"]*)"(?=[,}])/, () => `"${random.pick(['\n', '\t', '\x01', '\\x', '\\u12'])}"`),
]

/** Changed, but possibly still valid. */
const CHANGES: readonly Breakage[] = [
  (body, random) => json({ ...body, [anyName(body, random)]: random.pick(STRANGE) }),
  (body, random) => {
    const name = anyName(body, random)
    const text = String(body[name])
    const at = random.below(text.length + 1)
    return json({
      ...body,
      [name]:
        text.slice(0, at) +
        random.pick(['', 'a', 'Z', '0', '-', '_', '\n', '=', '.']) +
        text.slice(at + random.below(3)),
    })
  },
  (body, random) => {
    const { [anyName(body, random)]: _gone, ...rest } = body
    return json(rest)
  },
  (body, random) => json({ ...body, [anyName(body, random)]: body[anyName(body, random)] }),
  (body) => json(Object.fromEntries(Object.entries(body).toReversed())),
  (body) => json(body).replace(/[a-z]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`),
  (body) => JSON.stringify(body, null, '\t'),
  (body) => json(body).replace(/:(\d+)(?=[,}])/, ':$1.0'),
  (body) => json(body).toUpperCase(),
]

function headersOf(target: Target, random: Random): Record<string, string> {
  return {
    authorization: `Bearer ${random.chance(0.93) ? target.site.secret : random.pick([target.other.secret, 'x', `${target.site.secret}0`])}`,
    origin: random.chance(0.97)
      ? 'https://shop.example'
      : random.pick(['null', 'https://evil.example', 'https://SHOP.example']),
    'x-forwarded-for': `10.${random.below(256)}.${random.below(256)}.${random.below(256)}`,
  }
}

const late = () => new Promise<undefined>((resolve) => void setTimeout(resolve, HANG_MS, undefined).unref())

/**
 * Mutates the bodies of all endpoints: types, grammars, Unicode, nesting, duplicates, sizes, names of prototypes and of secrets,
 * between valid requests that use real objects. No reply may be outside the contract, no request may hang, and a
 * malformed request must never get a 200.
 */
export function fuzzBodies(target: Target, options: { count: number; seed: number }): Promise<Seen> {
  const stocks = new Stocks()
  return fuzz(options, async (random, note) => {
    const path = random.pick(PATHS)
    const right = rightBody(path, target, stocks, random)
    const kind = random.pick(['right', 'broken', 'broken', 'changed', 'changed'] as const)
    const text = kind === 'right' ? json(right) : random.pick(kind === 'broken' ? BREAKAGES : CHANGES)(right, random)
    const reply = await Promise.race([post(target.url + path, text, headersOf(target, random)), late()])
    const seen = reply && { ...reply, header: (name: string) => reply.headers[name]?.toString(), body: reply.text }
    const fault = seen ? faultOf(seen) : 'it hangs'
    const isAccepted = kind === 'broken' && reply?.status === 200
    if (fault !== undefined || isAccepted)
      note.fault(
        `${fault ?? 'what is malformed was accepted'}: POST ${path} ${text.slice(0, 1000)} ${reply?.text.slice(0, 200)}`,
      )
    note.answer(`${path} ${reply?.status} ${reply?.status === 200 ? '' : reply?.text}`)
    if (reply?.status === 200 && kind === 'right') stocks.keep(path, right, JSON.parse(reply.text) as Body)
  })
}
