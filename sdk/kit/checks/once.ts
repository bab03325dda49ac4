import { setTimeout as sleep } from 'node:timers/promises'
import type { Fault } from '../../testing/faults.ts'
import { expect, under } from '../check.ts'
import { type Kit, summarize, times } from '../kit.ts'
import { protectedForm } from '../page.ts'
import type { Attempt, Probe } from '../probe.ts'
import { type Drawn, expectRandom } from '../random.ts'
import type { Call } from '../relay.ts'
import { expectOneDecision, recover, refusal, spoilInTurn } from './recover.ts'

const UNIQUE =
  'Put a unique constraint on the attempt in the table of the business action, and insert there with “on conflict do nothing” after the 200.'
const SAME_NONCE =
  'Store the nonce with the attempt before you call /intents, and repeat a call that got no answer with the same nonce and fields.'
/** A backend gives a call 5 seconds. */
const BARRIER_MS = 4_000
const RACERS = 10

const SAME =
  'Draw the idempotency key once, store it with the attempt before the first call, and repeat exactly the same request.'

/** Losses of the first answers to a call that is then repeated, by the merchant or by the visitor. */
const LOST: [what: string, fault: Fault][] = [
  ['is cut off', { kind: 'cut' }],
  ['is lost', { kind: 'drop' }],
  ['is not HTTP', { kind: 'garbage' }],
]
const LOST_INTENTS: [what: string, fault: Fault][] = [
  ...LOST,
  ['does not come', { kind: 'hang' }],
  ['is a 503', { ...refusal(503, 'unavailable', true), headers: { 'retry-after': '0' } }],
]

/** 3. Concurrent identical submissions, or a retry after a lost response. */
export const ONCE = under<Probe>(3, [
  {
    name: 'send the same submission ten times at once',
    expected: 'executed once, one decision, and at least one answer is the success page',
    fix: UNIQUE,
    run: async (kit) => {
      const opened = await kit.earn()
      const barrier = createBarrier(RACERS)
      const end = kit.relay.watch(async ({ path }) => {
        if (path === '/siteverify') await barrier.arrive()
      })
      const pages = await kit
        .expectExecuted(1, () => Promise.all(Array.from({ length: RACERS }, () => kit.submit(opened, opened))))
        .finally(end)
      expect(
        pages.some(({ status }) => status < 300),
        `none of them succeeded: ${pages.map(summarize).join(' · ')}`,
      )
      expectOneDecision(kit, opened)
      return `${barrier.arrived()} of ${RACERS} were answered by /siteverify at the same moment`
    },
  },
  {
    name: 'send a completed submission again',
    expected: 'not executed again, one decision, answered with the success page as before',
    fix: 'Answer an unchanged repetition of a completed attempt with its result.',
    run: async (kit) => {
      const opened = await kit.earn()
      await kit.expectExecuted(1, () => kit.submit(opened, opened))
      kit.expectSuccess(await kit.expectExecuted(0, () => kit.submit(opened, opened)))
      expectOneDecision(kit, opened)
    },
  },
  ...LOST.map(
    ([what, fault]): Attempt => ({
      name: `the answer of /siteverify ${what}, again and again, before the redemption and after it; the form is sent again`,
      expected: 'executed once, one decision, the last answer is the success page',
      fix: SAME,
      run: (kit) => recover(kit, [{ kind: 'drop', reaches: false }, fault, fault]),
    }),
  ),
  {
    name: 'the answer of /siteverify comes after 5.5 seconds; the form is sent again',
    expected: 'executed once, one decision, the last answer is the success page',
    fix: SAME,
    run: (kit) => recover(kit, [{ kind: 'delay', ms: 5_500 }]),
  },
  ...LOST_INTENTS.map(
    ([what, fault]): Attempt => ({
      name: `the answer of /intents ${what}, after the intent was opened`,
      expected:
        'a repeated call has the same nonce and fields; the page shows the form, or an error and a way to try again',
      fix: SAME_NONCE,
      run: (kit) => reopen(kit, fault),
    }),
  ),
  {
    name: 'the visitor’s connection ends while the form is being sent; it is sent again',
    expected: 'executed once, one decision, the second answer is the success page',
    fix: UNIQUE,
    run: async (kit) => {
      const opened = await kit.earn()
      await kit.expectExecuted(1, async () => {
        const gone = new AbortController()
        const end = kit.relay.watch(async ({ path }) => {
          if (path === '/siteverify') gone.abort()
        })
        const lost = await kit.submit(opened, opened, { signal: gone.signal }).then(
          () => false,
          () => true,
        )
        end()
        expect(lost, 'the form was answered before the token was redeemed')
        kit.expectSuccess(await kit.submit(opened, opened))
      })
      expectOneDecision(kit, opened)
    },
  },
  {
    name: 'everything above: executions in all',
    expected: 'none after the submission that wanted it had been answered',
    fix: 'Put a unique constraint on the attempt also where the action runs in the background or is tried again.',
    run: async (kit) => {
      const late = await kit.late()
      expect(late === 0, `the action was executed ${times(late)} although nothing had been sent at that moment`)
    },
  },
  {
    name: 'everything above: one token, one request',
    expected: 'every call of /siteverify with a token has the same key and the same bytes',
    fix: SAME,
    last: true,
    run: async ({ relay }) => {
      const bodies = new Map<unknown, string>()
      for (const { path, body, fields } of relay.calls) {
        if (path !== '/siteverify') continue
        const first = bodies.get(fields['response']) ?? body
        const key =
          'a token was sent with another idempotency_key: the service answers 409 to it, and the visitor is lost'
        expect(readKey(first) === fields['idempotency_key'], key)
        expect(first === body, 'a token was sent twice with different parameters or bytes')
        bodies.set(fields['response'], first)
      }
    },
  },
  {
    name: 'everything above: nonces and idempotency keys',
    expected: 'both random, one of each per attempt, the key unrelated to everything else of the attempt',
    fix: 'Draw nonce and idempotency key separately from a cryptographic random generator, each with at least 122 random bits, and store both before /intents.',
    last: true,
    run: async (kit) => expectRandomKeys(kit),
  },
])

/**
 * Opens the form while the first answer of /intents has this fault. The merchant may repeat the call, or show an error.
 */
async function reopen(kit: Kit, fault: Fault): Promise<void> {
  const before = kit.relay.calls.length
  spoilInTurn(kit, '/intents', [fault])
  const page = await kit.openPage(kit.newVisitor())
  const calls = kit.relay.calls.slice(before).filter(({ path }) => path === '/intents')
  for (const { fields, body } of calls) {
    const first = calls.find((each) => each.fields['action'] === fields['action'])
    expect(
      first?.fields['nonce'] === fields['nonce'],
      'the call was repeated with another nonce: two intents for one form',
    )
    expect(first?.body === body, 'the call was repeated with other fields or bytes')
  }
  const form = protectedForm(page)
  if (!form) return kit.expectRecoverable(page)
  const isOwn = calls.some(({ answer }) => answer?.fields['intent_id'] === form.widget?.intent)
  expect(isOwn, 'the form has an intent that none of the calls opened')
}

/** Answers wait here until `count` have arrived or the time is over, and are then given together. */
function createBarrier(count: number) {
  let [arrived, before] = [0, 0]
  let open = () => {}
  const opened = new Promise<void>((resolve) => (open = resolve))
  return {
    arrive(): Promise<void> {
      arrived += 1
      if (arrived === 1) void sleep(BARRIER_MS).then(() => ((before ||= arrived), open()))
      if (arrived === count) {
        before ||= arrived
        open()
      }
      return opened
    },
    arrived: () => before,
  }
}

function readKey(body: string): unknown {
  return (JSON.parse(body) as Record<string, unknown>)['idempotency_key']
}

function expectRandomKeys({ relay, recorded, keys }: Kit): void {
  const openings = relay.calls.filter(({ path }) => path === '/intents')
  const nonces = new Map<string, Call>()
  for (const call of openings) {
    const nonce = String(call.fields['nonce'])
    expect((nonces.get(nonce) ?? call).body === call.body, 'a nonce was sent with other parameters')
    nonces.set(nonce, call)
  }
  const owners = new Map<string, { intent: string; drawn: Drawn }>()
  for (const { path, fields } of relay.calls) {
    if (path !== '/siteverify') continue
    const [key, intent] = [String(fields['idempotency_key']), String(fields['intent_id'])]
    expect(!nonces.has(key), 'an idempotency key is a nonce')
    expect((owners.get(key)?.intent ?? intent) === intent, 'two intents were redeemed with the same idempotency key')
    const opening = openings.find(({ answer }) => answer?.fields['intent_id'] === intent)
    const known = [intent, fields['response'], keys.secret, keys.sitekey, ...Object.values(opening?.fields ?? {})]
    const others = new Set([...known.map(String), ...(recorded.shown.get(intent) ?? [])])
    others.delete('')
    owners.set(key, { intent, drawn: { value: key, others: [...others], at: opening?.at ?? 0 } })
  }
  expectRandom(
    'the nonce',
    [...nonces].map(([value, { at }]) => ({ value, others: [], at })),
  )
  expectRandom(
    'the idempotency key',
    [...owners.values()].map(({ drawn }) => drawn),
  )
}
