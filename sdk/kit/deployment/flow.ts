import { setTimeout as sleep } from 'node:timers/promises'
import { type Check, expect, under } from '../check.ts'
import { type Deployment, expectRefusal, expectStatus, newNonce, newSession, newUuid, type Reply } from './call.ts'
import { KINDS } from './solve.ts'

/** A visitor’s whole flow through the service, from intent to feedback. */
export const FLOW = under<Check<Deployment>>(1, [
  {
    name: 'a visitor passes: intent, challenge, solution, token, decision',
    run: async (it) => {
      const intent = expectStatus(await it.intent(), 200)
      const { intent_id: intentId, expires_at: end } = intent.body
      expect(UUID7.test(String(intentId)), `intent_id is no UUIDv7: ${String(intentId)}`)
      expect(intent.body['sitekey'] === it.target.sitekey, 'the intent is another site’s: is the secret this site’s?')
      const puzzle = expectStatus(await it.challenge(intentId), 200)
      expect(KINDS.includes(String(puzzle.body['kind'])), `unknown kind of challenge: ${String(puzzle.body['kind'])}`)
      const solved = expectStatus(await it.solve(intentId, puzzle), 200)
      const response = String(solved.body['response'])
      expect(/^tgr_[\w-]{1,508}$/.test(response), 'the token is not of its grammar')
      expect(solved.body['expires_at'] === end, 'the token does not live exactly as long as its intent')
      const values = { response, intent_id: intentId, action: 'conformance', hostname: it.target.hostname }
      const { body } = expectStatus(await it.asSite('/siteverify', { ...values, idempotency_key: newNonce() }), 200)
      const { decision_id: decisionId, ...rest } = body
      expect(/^dec_[\w-]{1,60}$/.test(String(decisionId)), 'decision_id is not of its grammar')
      const wanted = { success: true, intent_id: intentId, action: 'conformance', hostname: it.target.hostname }
      for (const [field, value] of Object.entries({ ...wanted, assessment: 'passed' }))
        expect(rest[field] === value, `${field} is ${JSON.stringify(rest[field])} instead of ${JSON.stringify(value)}`)
    },
  },
  {
    name: 'ten concurrent redemptions make one decision, and a later retry gets the same bytes',
    run: async (it) => {
      const earned = await it.earn()
      const replies = await Promise.all(Array.from({ length: 10 }, () => it.asSite('/siteverify', earned)))
      const answers = [...replies, await it.asSite('/siteverify', earned)].map((reply) => expectStatus(reply, 200).text)
      expect(new Set(answers).size === 1, `${new Set(answers).size} different answers to the same request`)
    },
  },
  {
    name: 'a token works once: another key is refused, and so are other values with the same key',
    run: async (it) => {
      const earned = await it.earn()
      expectStatus(await it.asSite('/siteverify', earned), 200)
      const again = await it.asSite('/siteverify', { ...earned, idempotency_key: newNonce() })
      expectRefusal(again, 409, 'already-redeemed')
      expectRefusal(await it.asSite('/siteverify', { ...earned, action: 'other' }), 409, 'idempotency-conflict')
      const page = { sitekey: it.target.sitekey, intent_id: earned.intent_id }
      expectRefusal(await it.asPage('/challenge', page), 409, 'intent-expired')
    },
  },
  {
    name: 'a token is bound to its action and hostname, and a refusal consumes nothing',
    run: async (it) => {
      const earned = await it.earn()
      expectRefusal(await it.asSite('/siteverify', { ...earned, action: 'other' }), 409, 'binding-mismatch')
      const elsewhere = await it.asSite('/siteverify', { ...earned, hostname: 'elsewhere.example' })
      expect(elsewhere.status === 409 || elsewhere.status === 422, `another hostname was answered ${elsewhere.status}`)
      expectStatus(await it.asSite('/siteverify', earned), 200)
    },
  },
  {
    name: 'refuses an altered token, another intent’s token, an unknown intent and a wrong solution',
    run: async (it) => {
      const [earned, other] = [await it.earn(), await it.earn()]
      const altered = earned.response.slice(0, -4) + (earned.response.endsWith('AAAA') ? 'BBBB' : 'AAAA')
      expectRefusal(await it.asSite('/siteverify', { ...earned, response: altered }), 409, 'response-invalid')
      const swapped = await it.asSite('/siteverify', { ...earned, response: other.response })
      expectRefusal(swapped, 409, 'response-invalid')
      const unknown = await it.asSite('/siteverify', { ...earned, intent_id: newUuid() })
      expectRefusal(unknown, 409, 'response-invalid')
      const intent = expectStatus(await it.intent(), 200).body['intent_id']
      // SHA-256: wrong nonces of the other kind may go unnoticed where the difficulty is minimal
      const asked = { sitekey: it.target.sitekey, intent_id: intent, kinds: ['pow-sha256'] }
      const { body } = expectStatus(await it.asPage('/challenge', asked), 200)
      const solution = Buffer.alloc(Number(body['count']) * 4).toString('base64url')
      const wrong = { sitekey: it.target.sitekey, intent_id: intent, challenge: body['challenge'], solution }
      expectRefusal(await it.asPage('/solve', wrong), 422, 'solution-invalid')
    },
  },
  {
    name: 'a decision can be reported on, corrected only in order, and issues a grant if grants are enabled',
    run: async (it) => {
      const session = newSession()
      const redeemed = expectStatus(await it.asSite('/siteverify', await it.earn({ session })), 200)
      const decision = { decision_id: redeemed.body['decision_id'] }
      // by the server's clock; its Date header may be a second behind its database
      const occurredAt = Math.floor(Date.parse(redeemed.headers.get('date') ?? '') / 1000) + 1
      await sleep(1_100)
      const report = (fields: Record<string, unknown>) =>
        it.asSite('/feedback', {
          ...decision,
          outcome: 'legitimate',
          business_type: 'conformance',
          occurred_at: occurredAt,
          ...fields,
        })
      const first = newUuid()
      const event = expectStatus(await report({ event_id: first }), 200)
      expect(event.body['accepted'] === true && event.body['revision'] === 1, 'the first event is not revision 1')
      expectLatest(event, first)
      expectLatest(expectRefusal(await report({ event_id: newUuid() }), 409, 'supersede-required'), first)
      const second = newUuid()
      const next = expectStatus(await report({ event_id: second, supersedes_event_id: first }), 200)
      expect(next.body['revision'] === 2, 'the correction is not revision 2')
      expectLatest(next, second)
      const late = await report({ event_id: newUuid(), supersedes_event_id: first })
      expectLatest(expectRefusal(late, 409, 'supersede-stale'), second)
      const again = expectStatus(await report({ event_id: first }), 200)
      expect(again.text === event.text, 'the first event gets another answer after its correction')
      expectLatest(again, second)
      await checkGrant(it, { ...decision, session })
    },
  },
])

const UUID7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** The reply names the decision's latest feedback event. */
function expectLatest({ headers }: Reply, event: string): void {
  const named = headers.get('tollgate-latest-event')
  expect(named === event, `Tollgate-Latest-Event is ${named}, not the latest event ${event}`)
}

/** Grants of both kinds, if they are enabled: of a session, which can renew them, and of a visitor without one. */
async function checkGrant(it: Deployment, decision: { decision_id: unknown; session: string }): Promise<void> {
  const granted = await it.asSite('/grants', decision)
  if (granted.status === 403) return void expectRefusal(granted, 403, 'grants-disabled')
  const { grant_id: id } = expectStatus(granted, 200).body
  expect((await it.asSite('/grants', decision)).text === granted.text, 'the same request gives another grant')
  const other = { ...decision, session: newSession() }
  expectRefusal(await it.asSite('/grants', other), 409, 'grant-invalid')
  const renewed = await it.asSite('/grants', { decision_id: await spend(it, id, { session: decision.session }) })
  // a site may forbid renewal
  if (renewed.status !== 200) expectRefusal(renewed, 409, 'grant-invalid')
  const revoked = await it.asSite('/grants/revoke', { session: decision.session })
  const revocations = renewed.status === 200 ? 2 : 1
  expect(expectStatus(revoked, 200).body['revoked'] === revocations, `${revocations} grants were to be revoked`)

  const bare = { decision_id: expectStatus(await it.asSite('/siteverify', await it.earn()), 200).body['decision_id'] }
  expectRefusal(await it.asSite('/grants', { ...bare, session: newSession() }), 409, 'grant-invalid')
  const { grant_id: anyones } = expectStatus(await it.asSite('/grants', bare), 200).body
  expectRefusal(await it.intent({ session: newSession(), trusted_grant_id: anyones }), 409, 'grant-invalid')
  expectRefusal(await it.asSite('/grants', { decision_id: await spend(it, anyones, {}) }), 409, 'grant-invalid')
}

/** The decision of an intent opened with the grant. */
async function spend(it: Deployment, grantId: unknown, fields: { session?: string }): Promise<unknown> {
  const { body: intent } = expectStatus(await it.intent({ ...fields, trusted_grant_id: grantId }), 200)
  const { body: skipped } = expectStatus(await it.challenge(intent['intent_id']), 200)
  expect(skipped['kind'] === 'none', 'the intent of a grant is not exempt from the challenge')
  const redemption = await it.asSite('/siteverify', {
    response: skipped['response'],
    intent_id: intent['intent_id'],
    action: intent['action'],
    hostname: intent['hostname'],
    idempotency_key: newNonce(),
  })
  return expectStatus(redemption, 200).body['decision_id']
}
