import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { age, ageChallenge } from '../../test/support/age.ts'
import type { TestApp } from '../../test/support/app.ts'
import type { operate } from '../../test/support/operate.ts'
import { post, type Reply } from '../../test/support/post.ts'
import type { Moment, Outcome } from './judge.ts'
import type { Site, State } from './state.ts'

/** The status of each code in the contract. */
const STATUS: Record<string, number> = {
  unauthorized: 401,
  'quota-exceeded': 402,
  'origin-not-allowed': 403,
  'site-disabled': 403,
  'grants-disabled': 403,
  'nonce-conflict': 409,
  'intent-expired': 409,
  'grant-invalid': 409,
  'response-invalid': 409,
  'binding-mismatch': 409,
  'already-redeemed': 409,
  'idempotency-conflict': 409,
  'challenge-expired': 409,
  'feedback-closed': 409,
  'event-conflict': 409,
  'supersede-required': 409,
  'supersede-stale': 409,
  'grant-exists': 409,
  'solution-invalid': 422,
  'secret-in-body': 422,
  'rate-limited': 429,
}

/** The two forms of `bad-request`: with a field it is 422. */
function refusal(outcome: Outcome): { status: number; text: string } {
  const [error, field] = outcome.split(' ')
  if (error !== 'bad-request') return { status: STATUS[outcome] ?? 0, text: JSON.stringify({ error }) }
  return field === undefined
    ? { status: 400, text: JSON.stringify({ error }) }
    : { status: 422, text: JSON.stringify({ error, field }) }
}

/** An answer, and the seconds between which it was made. */
export type Answer = {
  outcome: Outcome
  text: string
  body: Record<string, unknown>
  /** The header Tollgate-Latest-Event. */
  latestEvent: string | string[] | undefined
  sent: number
  received: number
}

type Request = { path: string; body: unknown; headers: Record<string, string> }

/** The rounding difference between the clocks of this process and of the database. */
const ROUNDING = 0.002

/**
 * Browser requests are checked without a statement, by the node's copy of the database's clock. It is set by
 * the database's answers, so it is late by at most the timeout of a statement.
 */
const CLOCK_LAG = 2

/** The real side of a sequence: the server, the tenants' rows, and the number of each answer. */
export class World {
  readonly app: TestApp
  readonly operations: ReturnType<typeof operate>
  readonly seen: Map<string, number>

  constructor(app: TestApp, operations: ReturnType<typeof operate>, seen: Map<string, number>) {
    this.app = app
    this.operations = operations
    this.seen = seen
  }

  /** Sends the request and compares the answer with the model's. */
  async ask(request: Request, judge: (at: Moment) => Outcome): Promise<Answer> {
    const sent = Date.now() / 1000 - ROUNDING
    const { status, text, headers } = await this.patiently(request)
    const received = Date.now() / 1000 + ROUNDING
    const late = request.path === '/challenge' || request.path === '/solve' ? CLOCK_LAG : 0
    const expected = new Set(
      [sent - late, received].flatMap((now) => ([0, 1] as const).map((edge) => judge({ now, edge }))),
    )
    const body = JSON.parse(text) as Record<string, string | number>
    const { error, field } = body
    const outcome = status === 200 ? 'ok' : field === undefined ? String(error) : `${error} ${field}`
    this.count(`${request.path} ${status} ${outcome}`)
    assert.ok(expected.has(outcome), `${request.path}: expected ${[...expected].join(' or ')}, got ${status} ${text}`)
    if (outcome !== 'ok') assert.deepEqual({ status, text }, refusal(outcome))
    assert.equal('retry-after' in headers, status === 429)
    assert.match(String(headers['x-request-id']), /^req_/)
    assert.equal(headers['cache-control'], 'no-store')
    return { outcome, text, body, latestEvent: headers['tollgate-latest-event'], sent, received }
  }

  /** Retries after `unavailable`, as the contract allows, because the database may be slow on a busy machine. */
  private async patiently({ path, body, headers }: Request): Promise<Reply> {
    const reply = await post(this.app.url + path, body, headers)
    if (reply.status !== 503) return reply
    this.count(`${path} 503 unavailable, asked again`)
    await sleep(1000)
    return this.patiently({ path, body, headers })
  }

  private count(answer: string): void {
    this.seen.set(answer, (this.seen.get(answer) ?? 0) + 1)
  }

  async pass(state: State, seconds: number): Promise<void> {
    await age(
      this.app.sql,
      state.tenants.map((tenant) => tenant.id),
      seconds,
    )
    state.age(seconds)
    for (const challenge of state.challenges) {
      const { id: intentId, site } = challenge.intent
      challenge.text = ageChallenge(this.app.ctx.keyring, challenge.text, { intentId, siteId: site.id }, seconds)
    }
  }

  /** Compares all stored rows with the model. */
  async settle(state: State): Promise<void> {
    for (const tenant of state.tenants) {
      const { rows } = await this.app.sql.query<Record<string, number>>(LEDGER, [tenant.id])
      assert.deepEqual(rows[0], ledgerOf(state, tenant.id))
    }
    // the reconciliation is per month, and ageing may have moved a redemption to another month
    if (state.aged !== 0)
      await this.app.sql.query('update decision set redeemed_at = now() where tenant_id = any($1)', [
        state.tenants.map((tenant) => tenant.id),
      ])
  }
}

const LEDGER = `select
  coalesce((select used from quota_period where tenant_id = $1), 0)::int as used,
  coalesce((select included from quota_period where tenant_id = $1), (select monthly_quota from tenant where id = $1))::int as included,
  coalesce((select units from balance where tenant_id = $1), 0)::int as balance,
  (select count(*) from decision where tenant_id = $1)::int as decisions,
  (select count(*) from intent where tenant_id = $1)::int as intents,
  (select count(*) from captcha_grant where tenant_id = $1)::int as grants,
  (select coalesce(sum(used), 0) from captcha_grant where tenant_id = $1)::int as spent,
  (select count(*) from captcha_grant where tenant_id = $1 and revoked_at is not null)::int as revoked,
  (select count(*) from feedback_event where tenant_id = $1)::int as events`

function ledgerOf(state: State, tenantId: string): Record<string, number> {
  const own = (site: Site) => site.tenant.id === tenantId
  const tenant = state.tenants.find((one) => one.id === tenantId)
  const grants = state.grants.filter((grant) => own(grant.decision.intent.site))
  return {
    used: tenant?.used ?? 0,
    included: tenant?.included ?? 0,
    balance: tenant?.balance ?? 0,
    decisions: state.decisions.filter((decision) => own(decision.intent.site)).length,
    intents: state.intents.filter((intent) => own(intent.site)).length,
    grants: grants.length,
    spent: grants.reduce((sum, grant) => sum + grant.used, 0),
    revoked: grants.filter((grant) => grant.revoked).length,
    events: state.events.filter((event) => own(event.site)).length,
  }
}
