import { expect } from '../expect.ts'
import { alter, type Kit, type Opened, summarize } from '../kit.ts'
import type { Page } from '../page.ts'
import { type Probe } from '../probe.ts'

const REJECTED = 'rejected with a 4xx (409) and a message, not executed again'
const FROZEN =
  'Freeze content and token at the first submission, compare every later one with them, and answer a different one with 409: “This order was already sent with other content.”'

const OURS = {
  kind: 'answer',
  reaches: false,
  status: 503,
  headers: { 'retry-after': '60' },
  body: '{"error":"unavailable"}',
} as const

/** 4. Changing form content, token or redemption parameters on the same business record. */
export const CHANGED: Probe[] = [
  {
    check: 4,
    name: 'after success: send the same form with other content',
    expected: REJECTED,
    fix: FROZEN,
    run: async (kit) => {
      const opened = await kit.earn()
      await kit.expectExecuted(1, () => kit.submit(opened, opened))
      const again = { token: opened.token, fields: kit.merchant.changed }
      kit.expectRejected(await kit.expectExecuted(0, () => kit.submit(opened, again)))
    },
  },
  {
    check: 4,
    name: 'after success: send the same form with another token',
    expected: REJECTED,
    fix: FROZEN,
    run: async (kit) => {
      const opened = await kit.earn()
      await kit.expectExecuted(1, () => kit.submit(opened, opened))
      const other = await kit.earn(opened.visitor)
      for (const token of [other.token, alter(opened.token)])
        kit.expectRejected(await kit.expectExecuted(0, () => kit.submit(opened, { token })))
    },
  },
  afterFailure('content', (kit, { token }) => ({ token, fields: kit.merchant.changed })),
  afterFailure('another token', (_, { token }) => ({ token: alter(token) })),
  {
    check: 4,
    name: 'after a failure of the service: send the same form with other redemption parameters as fields',
    expected: 'no field of the form reaches /siteverify; executed at most once',
    fix: 'Take the parameters of /siteverify from the record of the attempt, never from the form.',
    run: async (kit) => {
      const opened = await kit.earn()
      const heal = kit.spoil('/siteverify', OURS)
      await kit.submit(opened, opened)
      heal()
      const key = 'x'.repeat(32)
      const extra = { action: 'other', hostname: 'other.example', idempotency_key: key, idempotencyKey: key }
      const { executed } = await kit.counting(() => kit.submit(opened, { token: opened.token, extra }))
      expect(executed <= 1, `the action was executed ${executed} times`)
      for (const { fields } of kit.redemptions(opened.widget.intent)) {
        const isOwn = fields['action'] !== extra.action && fields['hostname'] !== extra.hostname
        expect(isOwn && fields['idempotency_key'] !== key, 'a field of the form changed a parameter of /siteverify')
      }
    },
  },
  {
    check: 4,
    name: 'send two different contents of the same form at once, five times',
    expected: 'one of the two is executed, the other is rejected with a 4xx and a message',
    fix: FROZEN,
    run: async (kit) => {
      for (let round = 0; round < 5; round++) await race(kit)
    },
  },
]

function afterFailure(
  what: string,
  change: (kit: Kit, opened: Opened & { token: string }) => { token: string; fields?: Record<string, string> },
): Probe {
  const other = what === 'content' ? 'other content' : what
  return {
    check: 4,
    name: `after a failure of the service: send the same form with ${other}`,
    expected: `${REJECTED}; the first submission can still be completed, once`,
    fix: FROZEN,
    run: async (kit) => {
      const opened = await kit.earn()
      const total = await kit.counting(async () => {
        const heal = kit.spoil('/siteverify', OURS)
        await kit.submit(opened, opened)
        heal()
        kit.expectRejected(await kit.expectExecuted(0, () => kit.submit(opened, change(kit, opened))))
        kit.expectSuccess(await kit.submit(opened, opened))
      }, 1)
      expect(total.executed === 1, `in all, the action was executed ${total.executed} times`)
    },
  }
}

async function race(kit: Kit): Promise<void> {
  const opened = await kit.earn()
  const { token } = opened
  const [first, second] = await kit.expectExecuted(1, () =>
    Promise.all([kit.submit(opened, { token }), kit.submit(opened, { token, fields: kit.merchant.changed })]),
  )
  const won = (page: Page) => page.status < 300
  expect(won(first) !== won(second), `not exactly one of them succeeded: ${summarize(first)} · ${summarize(second)}`)
  kit.expectRejected(won(first) ? second : first)
}
