import { expect, under } from '../check.ts'
import { alter, type Kit, type Opened, summarize } from '../kit.ts'
import type { Page } from '../page.ts'
import type { Attempt, Probe } from '../probe.ts'
import { refusal } from './recover.ts'

const REJECTED = 'rejected with a 4xx (409) and a message, not executed again'
const FROZEN =
  'Freeze content and token at the first submission, compare every later one with them, and answer a different one with 409: “This order was already sent with other content.”'

const OURS = refusal(503, 'unavailable')

/** 4. Changing form content, token or redemption parameters on the same business record. */
export const CHANGED = under<Probe>(4, [
  {
    name: 'after success: send the same form with other content',
    expected: REJECTED,
    fix: FROZEN,
    run: async (kit) => {
      const opened = await kit.earn()
      await kit.expectExecuted(1, () => kit.submit(opened, opened))
      return rejectChanges(kit, opened)
    },
  },
  {
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
  afterFailure('other content', rejectChanges),
  afterFailure('another token', async (kit, opened) => {
    kit.expectRejected(await kit.expectExecuted(0, () => kit.submit(opened, { token: alter(opened.token) })))
  }),
  {
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
    name: 'send two different contents of the same form at once, five times each, twice',
    expected: 'one of the two is executed, every submission of the other is rejected with a 4xx and a message',
    fix: FROZEN,
    run: async (kit) => {
      for (let round = 0; round < 2; round++) await race(kit)
    },
  },
])

function afterFailure(
  what: string,
  change: (kit: Kit, opened: Opened & { token: string }) => Promise<string | void>,
): Attempt {
  return {
    name: `after a failure of the service: send the same form with ${what}`,
    expected: `${REJECTED}; the first submission can still be completed, once`,
    fix: FROZEN,
    run: async (kit) => {
      const opened = await kit.earn()
      const { value: remark, executed } = await kit.counting(async () => {
        const heal = kit.spoil('/siteverify', OURS)
        await kit.submit(opened, opened)
        heal()
        const changed = await change(kit, opened)
        kit.expectSuccess(await kit.submit(opened, opened))
        return changed
      }, 1)
      expect(executed === 1, `in all, the action was executed ${executed} times`)
      return remark
    },
  }
}

/** Sends each field that the adapter's `changed` changes by itself, and all of them. Returns which it does not change. */
async function rejectChanges(kit: Kit, opened: Opened & { token: string }): Promise<string | void> {
  const { fields, changed } = kit.merchant
  const names = Object.keys(changed).filter((name) => changed[name] !== fields[name])
  expect(names.length > 0, '`changed` of the adapter changes no field')
  const submit = (content: Record<string, string>) => () =>
    kit.submit(opened, { token: opened.token, fields: { ...fields, ...content } })
  for (const name of names) {
    const only = { [name]: changed[name] ?? '' }
    const page = await kit.expectExecuted(0, submit(only), `a submission in which only ${name} was changed`)
    expect(page.firstStatus >= 400, `with another ${name} it was not rejected with a 4xx: ${summarize(page)}`)
    kit.expectRejected(page)
  }
  kit.expectRejected(await kit.expectExecuted(0, submit(changed)))
  const same = Object.keys(fields).filter((name) => !names.includes(name))
  if (same.length > 0) return `the adapter’s changed leaves these as they are: ${same.join(', ')}`
}

async function race(kit: Kit): Promise<void> {
  const opened = await kit.earn()
  const { token } = opened
  const contents = [kit.merchant.fields, kit.merchant.changed]
  const pages = await kit.expectExecuted(1, () =>
    Promise.all(
      Array.from({ length: 5 }).flatMap(() => contents.map((fields) => kit.submit(opened, { token, fields }))),
    ),
  )
  const won = (page: Page) => page.status < 300
  const [first, second] = contents.map((_, content) => pages.filter((_each, at) => at % 2 === content)) as [
    Page[],
    Page[],
  ]
  const isOne = first.some(won) !== second.some(won)
  expect(isOne, `not exactly one of them succeeded: ${pages.map(summarize).join(' · ')}`)
  for (const page of first.some(won) ? second : first) kit.expectRejected(page)
}
