import type { Fault } from '../../testing/faults.ts'
import { readVectors } from '../../testing/vectors.ts'
import { expect, under } from '../check.ts'
import type { Behaviour } from '../keys.ts'
import type { Kit } from '../kit.ts'
import { protectedForm } from '../page.ts'
import type { Attempt, Probe } from '../probe.ts'
import type { Rule } from '../relay.ts'
import { recover, refusal } from './recover.ts'

/** Every refusal that a backend can get. */
const CATALOGUE = readVectors('errors').flatMap(({ code, statuses }) => statuses.map((status) => ({ code, status })))

const SHOWN = 'not executed; an error status, a message, and a way to try again'
const FIX_VERIFY =
  'Treat everything but the expected 200 as a failure: answer with an error status, say that nothing was done, and offer to send the same attempt again (a form, or a link to the form).'
const FIX_OPEN = 'If /intents fails, show an error page with a link to the form in place of the form.'
const FIX_REFUSED = 'Execute nothing unless /siteverify answers 200. Every other status is a refusal, 401 and 403 too.'
const FIX_ANSWER =
  'Proceed only if the status is 200, success is true, assessment is "passed", intent_id, action and hostname equal the record, and decision_id is a string.'
const FIX_INTENT =
  'Show the form only if sitekey, action and hostname of the answer are the configured ones and intent_id is a string.'

/** A refusal; a proxy's has no code. */
type Refusal = { status: number; code: string; fault: (reaches: boolean) => Fault }

const REFUSALS: readonly Refusal[] = [
  ...CATALOGUE.map(({ status, code }) => ({
    status,
    code,
    fault: (reaches: boolean) => refusal(status, code, reaches),
  })),
  ...[502, 504].map((status) => ({
    status,
    code: 'of a proxy',
    fault: (reaches: boolean) => gateway(status, reaches),
  })),
]

const gateway = (status: number, reaches: boolean): Fault => ({
  kind: 'answer',
  reaches,
  status,
  headers: { 'content-type': 'text/html', 'retry-after': '60' },
  body: `<h1>${status}</h1>`,
})

/** The statuses after which the same request can succeed later. */
const RECOVERABLE = new Set([402, 429, 500, 502, 503, 504])
const STATUSES = [...new Set(REFUSALS.map(({ status }) => status))].toSorted((a, b) => a - b)
const BY_STATUS = STATUSES.map((status) => [status, REFUSALS.filter((each) => each.status === status)] as const)

const name = (path: string, status: number, refusals: readonly Refusal[]): string =>
  `${path} answers ${status} ${refusals.length > 2 ? `with each of its ${refusals.length} codes` : refusals.map(({ code }) => code).join(' and ')}`

type Fields = Record<string, unknown>

const without = (fields: Fields, name: string): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([own]) => own !== name))

/** Answers with status 200 that are not a pass, derived from the fields of one. */
const WRONG_ANSWERS: [name: string, change: (passed: Fields) => Fields | string][] = [
  ['without success', (passed) => without(passed, 'success')],
  ['with success false', (passed) => ({ ...passed, success: false })],
  ['with success "true" (a string)', (passed) => ({ ...passed, success: 'true' })],
  ['without assessment', (passed) => without(passed, 'assessment')],
  ['with the assessment "failed"', (passed) => ({ ...passed, assessment: 'failed' })],
  ['with a number as assessment', (passed) => ({ ...passed, assessment: 0.9 })],
  [
    'with the intent_id of another intent',
    (passed) => ({ ...passed, intent_id: '01890000-0000-7000-8000-000000000000' }),
  ],
  ['with another action', (passed) => ({ ...passed, action: 'acceptance-other' })],
  ['with another hostname', (passed) => ({ ...passed, hostname: 'other.example' })],
  ['without decision_id', (passed) => without(passed, 'decision_id')],
  ['with a number as decision_id', (passed) => ({ ...passed, decision_id: 7 })],
  ['with a page of HTML', () => '<!doctype html><title>Log in to the network</title>'],
]
const WRONG_INTENTS: [name: string, fields: Fields][] = [
  ['another sitekey', { sitekey: `tg_site_${'0'.repeat(20)}` }],
  ['another action', { action: 'acceptance-other' }],
  ['another hostname', { hostname: 'other.example' }],
  ['a number as intent_id', { intent_id: 7 }],
  ['no intent_id', { intent_id: undefined }],
]

/** 5. Insufficient quota, service failure and rate limiting. */
export const FAILURES = under<Probe>(5, [
  ...BY_STATUS.map(
    ([status, refusals]): Attempt =>
      RECOVERABLE.has(status)
        ? {
            name: `${name('/siteverify', status, refusals)}, twice before it redeems and once after it; afterwards the same form is sent again`,
            expected: `${SHOWN}; afterwards executed once, one decision`,
            fix: FIX_VERIFY,
            run: async (kit) => {
              for (const { fault } of refusals) await recover(kit, [fault(false), fault(false), fault(true)])
            },
          }
        : {
            name: `${name('/siteverify', status, refusals)}, twice`,
            expected: 'not executed, not answered with the success page',
            fix: FIX_REFUSED,
            run: (kit) => refuse(kit, refusals),
          },
  ),
  {
    name: '/siteverify does not answer, once before it redeems and once after it; afterwards the same form is sent again',
    expected: `${SHOWN}; afterwards executed once, one decision`,
    fix: `Give each call 5 seconds. ${FIX_VERIFY}`,
    run: (kit) => recover(kit, [{ kind: 'hang', reaches: false }, { kind: 'hang' }]),
  },
  ...BY_STATUS.map(
    ([status, refusals]): Attempt => ({
      name: `${name('/intents', status, refusals)}, twice`,
      expected: RECOVERABLE.has(status)
        ? 'an error status, a message, a way to try again and no form with the component; afterwards the form works'
        : 'an error status, a message and no form with the component',
      fix: FIX_OPEN,
      run: async (kit) => {
        const isRecoverable = RECOVERABLE.has(status)
        for (const { fault } of refusals)
          for (const reaches of [false, isRecoverable]) await expectNoForm(kit, fault(reaches), isRecoverable)
        if (isRecoverable) await kit.open()
      },
    }),
  ),
  {
    name: '/intents ends the connection without an answer, again and again',
    expected:
      'an error status, a message, a way to try again and no form with the component; afterwards the form works',
    fix: FIX_OPEN,
    run: async (kit) => {
      await expectNoForm(kit, { kind: 'drop', reaches: false }, true)
      await kit.open()
    },
  },
  ...(['quota', 'down'] as const).map(
    (keys): Attempt => ({
      name: `/siteverify of the test key TEST${keys} answers ${keys === 'quota' ? 402 : 503}`,
      expected: SHOWN,
      fix: FIX_VERIFY,
      keys,
      run: async (kit) => {
        const opened = await kit.earn()
        kit.expectRecoverable(await kit.expectExecuted(0, () => kit.submit(opened, opened)))
      },
    }),
  ),
  {
    name: '/intents of the test key TESTlimit answers 429',
    expected: 'an error status, a message, a way to try again',
    fix: FIX_OPEN,
    keys: 'limit' satisfies Behaviour,
    run: async (kit) => kit.expectRecoverable(await kit.newVisitor().open(kit.merchant.form)),
  },
  ...WRONG_ANSWERS.map(
    ([name, change]): Attempt => ({
      name: `/siteverify answers 200 ${name}`,
      expected: 'not executed; an error status and a message',
      fix: FIX_ANSWER,
      run: async (kit) => {
        const opened = await kit.open()
        kit.spoil('/siteverify', answering(change))
        for (const token of Array<string>(2).fill(kit.inventToken()))
          kit.expectRecoverable(await kit.expectExecuted(0, () => kit.submit(opened, { token })), false)
      },
    }),
  ),
  {
    name: '/siteverify answers 201, 202, 203 or 206 with the members of a pass',
    expected: 'not executed; an error status and a message',
    fix: FIX_ANSWER,
    run: async (kit) => {
      const opened = await kit.open()
      const token = kit.inventToken()
      for (const status of [201, 202, 203, 206]) {
        kit.spoil('/siteverify', (call) => ({ ...answering((passed) => passed)(call), kind: 'answer', status }))
        kit.expectRecoverable(await kit.expectExecuted(0, () => kit.submit(opened, { token })), false)
      }
    },
  },
  ...WRONG_INTENTS.map(
    ([name, fields]): Attempt => ({
      name: `/intents answers 200 with ${name}`,
      expected: 'an error status and a message, no form with the component',
      fix: FIX_INTENT,
      run: async (kit) => {
        kit.spoil('/intents', { kind: 'change', fields })
        const page = await kit.openPage(kit.newVisitor())
        expect(protectedForm(page) === undefined, 'the form is shown with an intent that is not its own')
        kit.expectRecoverable(page, false)
      },
    }),
  ),
])

/** A 200 generated by the relay; the service does not receive the call. */
function answering(change: (passed: Fields) => Fields | string): Rule {
  return ({ fields }) => {
    const { intent_id, action, hostname } = fields
    const passed = { success: true, intent_id, action, hostname, decision_id: 'dec_acceptance', assessment: 'passed' }
    const answer = change(passed)
    return {
      kind: 'answer',
      reaches: false,
      status: 200,
      headers: { 'content-type': typeof answer === 'string' ? 'text/html' : 'application/json' },
      body: typeof answer === 'string' ? answer : JSON.stringify(answer),
    }
  }
}

/**
 * Each refusal, twice in a row, for a submission whose token no service has made. A merchant that does not ask again about a
 * form gets another form.
 */
async function refuse(kit: Kit, refusals: readonly Refusal[]): Promise<void> {
  let opened = await kit.open()
  let token = kit.inventToken()
  const isAsked = async (code: string): Promise<boolean> => {
    const before = kit.redemptions(opened.widget.intent).length
    const page = await kit.expectExecuted(0, () => kit.submit(opened, { token }), code)
    kit.expectRefused(page)
    return kit.redemptions(opened.widget.intent).length > before
  }
  for (const { status, code, fault } of refusals) {
    kit.spoil('/siteverify', fault(false))
    const told = `${status} ${code}`
    if (!(await isAsked(told))) {
      opened = await kit.open()
      token = kit.inventToken()
      expect(await isAsked(told), 'a submission with a token of the right shape made no call of /siteverify')
    }
    await isAsked(told)
  }
}

/** @throws Failed if the page shows the form although /intents has failed like this */
async function expectNoForm(kit: Kit, fault: Fault, isRecoverable: boolean): Promise<void> {
  const heal = kit.spoil('/intents', fault)
  const page = await kit.openPage(kit.newVisitor())
  heal()
  expect(protectedForm(page) === undefined, 'a form with the component is shown although it has no intent')
  kit.expectRecoverable(page, isRecoverable)
}
