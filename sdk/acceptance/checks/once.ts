import { createHash } from 'node:crypto'
import type { Fault } from '../../testing/faults.ts'
import { expect } from '../expect.ts'
import { type Kit, type Opened, summarize, times } from '../kit.ts'
import { type Probe } from '../probe.ts'

const UNIQUE =
  'Put a unique constraint on the attempt in the table of the business action, and insert there with “on conflict do nothing” after the 200.'
const SAME =
  'Draw the idempotency key once, store it with the attempt before the first call, and repeat exactly the same request.'

/** 3. Concurrent identical submissions, or a retry after a lost response. */
export const ONCE: Probe[] = [
  {
    check: 3,
    name: 'send the same submission ten times at once',
    expected: 'executed once, one decision, and at least one answer is the success page',
    fix: UNIQUE,
    run: async (kit) => {
      const opened = await kit.earn()
      // otherwise a fast merchant has finished with the first submission before the second one arrives
      kit.spoil('/siteverify', { kind: 'delay', ms: 1_000 })
      const pages = await kit.expectExecuted(1, () =>
        Promise.all(Array.from({ length: 10 }, () => kit.submit(opened, opened))),
      )
      expect(
        pages.some(({ status }) => status < 300),
        `none of them succeeded: ${pages.map(summarize).join(' · ')}`,
      )
      expectOneDecision(kit, opened)
    },
  },
  {
    check: 3,
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
  lost('the answer of /siteverify is cut off after the redemption', { kind: 'cut' }),
  lost('the answer of /siteverify is lost after the redemption', { kind: 'drop' }),
  lost('the answer of /siteverify comes after 5.5 seconds', { kind: 'delay', ms: 5_500 }),
  {
    check: 3,
    name: 'the visitor’s connection ends while the form is being sent; it is sent again',
    expected: 'executed once, one decision, the second answer is the success page',
    fix: UNIQUE,
    run: async (kit) => {
      const opened = await kit.earn()
      await kit.expectExecuted(1, async () => {
        const gone = new AbortController()
        const end = kit.relay.watch(({ path }) => path === '/siteverify' && gone.abort())
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
    check: 3,
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
    check: 3,
    name: 'everything above: nonces and idempotency keys',
    expected: 'both random, one of each per attempt, the key unrelated to nonce and intent',
    fix: 'Draw nonce and idempotency key separately, each with at least 128 random bits, and store both before /intents.',
    last: true,
    run: async ({ relay }) => expectRandomKeys(relay.calls),
  },
]

/** The first answer to a redemption is lost. The merchant may repeat the call, or the visitor the form. */
function lost(name: string, fault: Fault): Probe {
  return {
    check: 3,
    name: `${name}; the form is sent again`,
    expected: 'executed once, one decision, the last answer is the success page',
    fix: SAME,
    run: async (kit) => {
      const opened = await kit.earn()
      await kit.expectExecuted(1, async () => {
        let isFirst = true
        kit.spoil('/siteverify', () => {
          const now = isFirst
          isFirst = false
          return now ? fault : undefined
        })
        await kit.submit(opened, opened)
        kit.expectSuccess(await kit.submit(opened, opened))
      })
      expectOneDecision(kit, opened)
    },
  }
}

function expectOneDecision(kit: Kit, { widget }: Opened): void {
  const decisions = new Set(kit.redemptions(widget.intent).flatMap(({ answer }) => answer?.fields['decision_id'] ?? []))
  expect(decisions.size === 1, `the intent was redeemed ${times(decisions.size)}`)
}

function readKey(body: string): unknown {
  return (JSON.parse(body) as Record<string, unknown>)['idempotency_key']
}

function expectRandomKeys(calls: Kit['relay']['calls']): void {
  const nonces = new Map<string, string>()
  for (const { path, fields, body } of calls) {
    if (path !== '/intents') continue
    const nonce = String(fields['nonce'])
    expect((nonces.get(nonce) ?? body) === body, 'a nonce was sent with other parameters')
    nonces.set(nonce, body)
  }
  const owners = new Map<string, string>()
  for (const { path, fields } of calls) {
    if (path !== '/siteverify') continue
    const [key, intent] = [String(fields['idempotency_key']), String(fields['intent_id'])]
    expect(!nonces.has(key), 'an idempotency key is a nonce')
    expect(
      !derivedFrom(intent).some((value) => key.toLowerCase().includes(value)),
      'the idempotency key is made of the intent’s id',
    )
    expect((owners.get(key) ?? intent) === intent, 'two intents were redeemed with the same idempotency key')
    owners.set(key, intent)
  }
  for (const [key] of owners) {
    // 32 random hex digits have six or fewer distinct ones with a probability of 10^-11
    expect(new Set(key).size > 6, 'an idempotency key does not look random')
  }
}

/** The texts that a key derived from the intent's id would contain, in lower case. */
function derivedFrom(intent: string): string[] {
  const id = intent.toLowerCase()
  const hashes = ['md5', 'sha1', 'sha256'].flatMap((name) =>
    (['hex', 'base64url'] as const).map((form) =>
      createHash(name).update(intent).digest(form).toLowerCase().slice(0, 20),
    ),
  )
  return [id, id.replaceAll('-', ''), ...hashes]
}
