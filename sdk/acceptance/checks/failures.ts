import type { Fault } from '../../testing/faults.ts'
import { expect } from '../expect.ts'
import type { Behaviour } from '../keys.ts'
import { type Kit, summarize } from '../kit.ts'
import { protectedForm } from '../page.ts'
import { type Probe } from '../probe.ts'
import type { Rule } from '../relay.ts'

const SHOWN = 'not executed; an error status, a message, and a way to try again'
const FIX_VERIFY =
  'Treat everything but the expected 200 as a failure: answer with an error status, say that nothing was done, and offer to send the same attempt again (a form, or a link to the form).'
const FIX_OPEN = 'If /intents fails, show an error page with a link to the form in place of the form.'
const FIX_ANSWER =
  'Proceed only if the status is 200, success is true, assessment is "passed", intent_id, action and hostname equal the record, and decision_id is a string.'
const FIX_INTENT =
  'Show the form only if sitekey, action and hostname of the answer are the configured ones and intent_id is a string.'

const refusal = (status: number, error: string): Fault => ({
  kind: 'answer',
  reaches: false,
  status,
  headers: { 'content-type': 'application/json', ...(status === 402 || status === 500 ? {} : { 'retry-after': '60' }) },
  body: JSON.stringify({ error }),
})

const OUTAGES: [name: string, fault: Fault][] = [
  ['answers 402 quota-exceeded', refusal(402, 'quota-exceeded')],
  ['answers 429 rate-limited', refusal(429, 'rate-limited')],
  ['answers 503 unavailable', refusal(503, 'unavailable')],
  ['answers 500 internal-error', refusal(500, 'internal-error')],
]
const GATEWAY: Fault = {
  kind: 'answer',
  reaches: false,
  status: 502,
  headers: { 'content-type': 'text/html', 'retry-after': '60' },
  body: '<h1>502 Bad Gateway</h1>',
}

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
export const FAILURES: Probe[] = [
  ...[...OUTAGES, ['answers 502 with HTML', GATEWAY] as const].map(
    ([name, fault]): Probe => ({
      check: 5,
      name: `/siteverify ${name}; afterwards the same form is sent again`,
      expected: `${SHOWN}; afterwards executed once`,
      fix: FIX_VERIFY,
      run: (kit) => outage(kit, fault),
    }),
  ),
  {
    check: 5,
    name: '/siteverify does not answer; afterwards the same form is sent again',
    expected: `${SHOWN}; afterwards executed once`,
    fix: `Give each call 5 seconds. ${FIX_VERIFY}`,
    run: (kit) => outage(kit, { kind: 'hang', reaches: false }),
  },
  ...[...OUTAGES, ['ends the connection without an answer', { kind: 'drop', reaches: false }] as const].map(
    ([name, fault]): Probe => ({
      check: 5,
      name: `/intents ${name}`,
      expected:
        'an error status, a message, a way to try again and no form with the component; afterwards the form works',
      fix: FIX_OPEN,
      run: async (kit) => {
        const heal = kit.spoil('/intents', fault)
        const page = await kit.openPage(kit.newVisitor())
        heal()
        kit.expectRecoverable(page)
        expect(protectedForm(page) === undefined, 'a form with the component is shown although it has no intent')
        await kit.open()
      },
    }),
  ),
  ...(['quota', 'down'] as const).map(
    (keys): Probe => ({
      check: 5,
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
    check: 5,
    name: '/intents of the test key TESTlimit answers 429',
    expected: 'an error status, a message, a way to try again',
    fix: FIX_OPEN,
    keys: 'limit' satisfies Behaviour,
    run: async (kit) => kit.expectRecoverable(await kit.newVisitor().open(kit.merchant.form)),
  },
  ...WRONG_ANSWERS.map(
    ([name, change]): Probe => ({
      check: 5,
      name: `/siteverify answers 200 ${name}`,
      expected: 'not executed; an error status and a message',
      fix: FIX_ANSWER,
      run: async (kit) => {
        const opened = await kit.earn()
        kit.spoil('/siteverify', answering(change))
        kit.expectRecoverable(await kit.expectExecuted(0, () => kit.submit(opened, opened)), false)
      },
    }),
  ),
  {
    check: 5,
    name: '/siteverify answers 202 with the members of a pass',
    expected: 'not executed; an error status and a message',
    fix: FIX_ANSWER,
    run: async (kit) => {
      const opened = await kit.earn()
      kit.spoil('/siteverify', (call) => ({ ...answering((passed) => passed)(call), kind: 'answer', status: 202 }))
      kit.expectRecoverable(await kit.expectExecuted(0, () => kit.submit(opened, opened)), false)
    },
  },
  ...WRONG_INTENTS.map(
    ([name, fields]): Probe => ({
      check: 5,
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
]

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

async function outage(kit: Kit, fault: Fault): Promise<void> {
  const opened = await kit.earn()
  const heal = kit.spoil('/siteverify', fault)
  const page = await kit.expectExecuted(0, () => kit.submit(opened, opened))
  heal()
  kit.expectRecoverable(page)
  const done = await kit.expectExecuted(1, async () => {
    const offered = await kit.again(opened, page)
    if (offered) expect(offered.status < 300, `the page’s own form did not complete it: ${summarize(offered)}`)
    return kit.submit(opened, opened)
  })
  kit.expectSuccess(done)
}
