/**
 * Mutates the bodies of all endpoints: types, grammars, Unicode, nesting, duplicates, sizes, names of prototypes and of
 * secrets, between valid requests that use real intents. No reply may be a 5xx or outside the contract, no
 * request may hang, a malformed request must never get a 200, and charges must match decisions afterwards.
 *
 *   npx tsx assurance/bench/fuzz-schema.ts --count 100000 --seed 1 [--seconds 900]
 */
import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { post } from '../../test/support/post.ts'
import { solvePuzzles } from '../../test/support/solver.ts'
import { faultOf, Tally } from './fuzz/oracle.ts'
import { type Random, seeded } from './fuzz/random.ts'
import { each, type Options, runManually } from './fuzz/run.ts'
import type { Target } from './fuzz/target.ts'

const CONCURRENCY = 24
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
  readonly decisions = new Stock<{ decision_id: string; session?: string }>()
  readonly grants = new Stock<{ grant_id: string; session: string }>()
  readonly events = new Stock<string>()

  /** Stores the objects in the answer to a valid request. */
  keep(path: string, asked: Body, answer: Body): void {
    const intent = { ...asked, ...answer } as unknown as Intent
    if (path === '/intents') this.intents.add(intent)
    if (path === '/challenge' && 'seed' in answer) this.challenges.add({ ...answer, ...asked } as never)
    if (path === '/solve')
      this.tokens.add({
        intent_id: String(asked['intent_id']),
        action: 'checkout',
        hostname: 'shop.example',
        response: String(answer['response']),
      })
    if (path === '/siteverify') this.decisions.add({ decision_id: String(answer['decision_id']) })
    if (path === '/grants') this.grants.add({ grant_id: String(answer['grant_id']), session: String(asked['session']) })
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
      const { decision_id } = stocks.decisions.pick(random, { decision_id: 'dec_0' })
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
        decision_id: stocks.decisions.pick(random, { decision_id: 'dec_0' }).decision_id,
        session: SESSIONS[0],
        uses: 1 + random.below(10),
      }
    case '/grants/revoke':
      return random.chance(0.7) ? { grant_id: grant.grant_id } : { session: SESSIONS[1] }
  }
}

const STRANGE: readonly ((random: Random) => unknown)[] = [
  () => null,
  () => true,
  () => 0,
  () => -1,
  () => 1.5,
  () => 2 ** 53,
  () => 1e308,
  () => [],
  () => ({}),
  () => '',
  () => ' ',
  () => '\0',
  () => '\ud800',
  () => '\u212a',
  () => 'ａ'.repeat(20),
  () => '\u202e\u0000\ufeff',
  () => '💥'.repeat(32),
  () => '__proto__',
  () => "'; drop table intent; --",
  () => '{"$gt":""}',
  () => '%00',
  () => '../../etc/passwd',
  () => 'NaN',
  (random) => 'a'.repeat(random.below(5000)),
  (random) => String.fromCharCode(...Array.from({ length: random.below(40) }, () => random.below(65_536))),
  (random) => Array.from({ length: random.below(200) }, () => 'x'),
]

/** Names that are unknown to all endpoints. */
const UNKNOWN = [
  'extra',
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  '',
  'Action',
  'action\0',
  'ａction',
  '💥',
  'length',
  'x'.repeat(300),
] as const
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
  (body, random) => inserted(body, `${json(random.pick(UNKNOWN))}:${json(random.pick(STRANGE)(random))}`),
  (body, random) => inserted(body, `"${random.pick(SECRETS)}":1`),
  (body, random) => inserted(body, `"note":{"deep":[{"${random.pick(SECRETS)}":""}]}`),
  (body, random) => inserted(body, `"x":${'['.repeat(8 + random.below(5000))}${']'.repeat(8)}`),
  (body, random) => inserted(body, `"x":"${'x'.repeat(random.below(40_000))}"`),
  (body) => inserted(body, json(Object.entries(body).slice(0, 1).flat()[0]) + ':1'),
  (body, random) => `${json(body)}${random.pick(['x', '{}', ',', ']', '//', '\0', ' 1'])}`,
  (body, random) => random.pick(['', ' ', '\ufeff', '[', '(', 'null,', '\u00a0']) + json(body) + '}',
  (body, random) => json(body).slice(0, random.below(json(body).length - 1)),
  (_body, random) => json(random.pick(STRANGE)(random)).replace(/^\{.*$/, '[]'),
  (body) => `[${json(body)}]`,
  (body) => json(body).replaceAll('"', "'"),
  (body) => json(body).replace(':', ':undefined,"y":'),
  (body, random) =>
    json(body).replace(/"([^"]*)"(?=[,}])/, () => `"${random.pick(['\n', '\t', '\x01', '\\x', '\\u12'])}"`),
]

/** Changed, but possibly still valid. */
const CHANGES: readonly Breakage[] = [
  (body, random) => json({ ...body, [anyName(body, random)]: random.pick(STRANGE)(random) }),
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

const late = (milliseconds: number) =>
  new Promise<undefined>((resolve) => void setTimeout(resolve, milliseconds, undefined).unref())

export async function fuzzSchema(target: Target, options: Options): Promise<{ done: number; tally: Tally }> {
  const tally = new Tally()
  const stocks = new Stocks()
  const done = await each(options, CONCURRENCY, async (i) => {
    const random = seeded(options.seed * 1_000_003 + i)
    const path = random.pick(PATHS)
    const right = rightBody(path, target, stocks, random)
    const kind = random.pick(['right', 'broken', 'broken', 'changed', 'changed'] as const)
    const text = kind === 'right' ? json(right) : random.pick(kind === 'broken' ? BREAKAGES : CHANGES)(right, random)
    const reply = await Promise.race([post(target.url + path, text, headersOf(target, random)), late(HANG_MS)])
    const blame = (why: string) =>
      tally.fault(
        `request ${i}: ${why}\nPOST ${path}\n${text.slice(0, 1000)}\n${reply?.status} ${reply?.text.slice(0, 200)}`,
      )
    if (!reply) {
      blame('it hangs')
      return
    }
    const fault = faultOf({ status: reply.status, header: (name) => reply.headers[name]?.toString(), body: reply.text })
    if (fault !== undefined) blame(fault)
    else if (reply.status === 200 && kind === 'broken') blame('what is malformed was accepted')
    else {
      const field = /"field":"(.*)"\}$/s.exec(reply.text)?.[1]
      const known = field === undefined || Object.hasOwn(right, field)
      tally.count(`${path} ${reply.status} ${reply.status === 200 ? '' : known ? reply.text : '(an unknown field)'}`)
      if (reply.status === 200 && kind === 'right') stocks.keep(path, right, JSON.parse(reply.text) as Body)
    }
  })
  return { done, tally }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await runManually(fuzzSchema)
