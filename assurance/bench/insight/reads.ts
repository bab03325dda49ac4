import type pg from 'pg'
import type { MemberCtx, StaffCtx } from '../../../server/accounts/access.ts'
import { findReference } from '../../../server/accounts/references/find.ts'
import { viewActivity } from '../../../server/accounts/sites/activity.ts'
import { listGrants } from '../../../server/accounts/sites/grants/list.ts'
import { listRefusedHostnames } from '../../../server/accounts/sites/hostnames/refused.ts'
import { viewIntegration } from '../../../server/accounts/sites/integration.ts'
import { searchAnything } from '../../../server/accounts/staff/search.ts'
import { listAllTenants } from '../../../server/accounts/staff/tenants/list.ts'
import { viewAnyTenant } from '../../../server/accounts/staff/tenants/view.ts'
import { traceAnything } from '../../../server/accounts/staff/trace.ts'
import { viewSummary } from '../../../server/accounts/tenants/summary.ts'
import type { Context } from '../../../server/kit/context.ts'
import { listAudit } from '../../../server/ledger/audit/list.ts'
import { listStaffAudit } from '../../../server/ledger/audit/listStaff.ts'
import { listDecisions } from '../../../server/ledger/decisions/list.ts'
import { neighboursOf } from '../../../server/ledger/decisions/neighbours.ts'
import { tailDecisions } from '../../../server/ledger/decisions/tail.ts'
import { traceDecision } from '../../../server/ledger/decisions/trace.ts'
import { feedbackHistory } from '../../../server/ledger/feedback/history.ts'
import { listFeedback } from '../../../server/ledger/feedback/list.ts'
import { feedbackRates } from '../../../server/ledger/feedback/rates.ts'
import { listRefusals } from '../../../server/ledger/refusals/list.ts'
import { usageBySite } from '../../../server/ledger/usage/bySite.ts'
import { meter } from '../../../server/ledger/usage/meter.ts'
import { listMonths } from '../../../server/ledger/usage/months.ts'
import { usageOfAll } from '../../../server/ledger/usage/ofAll.ts'
import { usageSeries } from '../../../server/ledger/usage/series.ts'
import { statement } from '../../../server/ledger/usage/statement.ts'
import type { Case } from './measure.ts'

/** Filters of the list of decisions: some that match much, and some that match nothing. */
const FILTERS: Record<string, Partial<Parameters<typeof listDecisions>[2]>> = {
  'an action': { action: 'login' },
  'a host that there is not': { hostname: 'none.example' },
  'abuse only': { outcome: 'confirmed_abuse' },
  'without feedback': { outcome: 'none' },
  'an outcome of an action that there is not': { outcome: 'legitimate', action: 'none' },
  exempted: { way: 'exempted' },
  'charged to the balance': { paid: 'balance' },
  'slower than an hour': { slow: 3_600_000 },
  'raised by a list': { reasons: 1 << 20 },
  'abuse, mobile, slower than 2 s, raised by the network': {
    outcome: 'confirmed_abuse',
    device: 'mobile',
    slow: 2000,
    reasons: 3,
  },
}

/**
 * The console's reads of a database that `fill` has filled, with the milliseconds in which 95 of 100 have to be answered.
 */
export async function readsOf(ctx: Context, sql: pg.Pool): Promise<Case[]> {
  const one = async <Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row> => {
    const { rows } = await sql.query<Row>(text, values)
    if (!rows[0]) throw new Error(`nothing found: ${text}`)
    return rows[0]
  }
  const tenant = await one<{ id: string; slug: string; name: string }>(
    "select id::text, slug, name from tenant where slug = 'bench-1'",
  )
  const site = await one<{ id: string; tenantId: string; sitekey: string }>(
    'select id::text, tenant_id::text as "tenantId", sitekey from site where tenant_id = $1 limit 1',
    [tenant.id],
  )
  const some = async (text: string): Promise<string[]> => {
    const { rows } = await sql.query<{ id: string }>(text)
    if (rows.length === 0) throw new Error(`nothing found: ${text}`)
    return rows.map(({ id }) => id)
  }
  const decisions = await some('select id::text from decision tablesample bernoulli (0.05) limit 100')
  const { id: recent } = await one<{ id: string }>(
    'select id::text from decision order by id desc offset 20000 limit 1',
  )
  const references = await some('select reference as id from refusal tablesample bernoulli (0.05) limit 100')
  const requests = await some('select id::text from refusal tablesample bernoulli (0.05) limit 100')
  const grants = await some('select id::text from captcha_grant tablesample bernoulli (1) limit 100')
  const sessions = await some('select session as id from captcha_grant tablesample bernoulli (1) limit 100')
  const events = await some('select event_id::text as id from feedback_event tablesample bernoulli (1) limit 100')
  const reported = await some('select decision_id::text as id from feedback_event tablesample bernoulli (1) limit 100')

  const nth = (values: readonly string[], turn: number): string => values[turn % values.length] ?? ''
  const member = { ...ctx, tenant } as unknown as MemberCtx
  const staff = { ...ctx, level: 'lead', actor: { type: 'staff', id: crypto.randomUUID() } } as unknown as StaffCtx
  const now = Math.floor(Date.now() / 1000)
  const last = (days: number) => ({ from: now - days * 86_400, to: now + 60 })
  const month = new Date().toISOString().slice(0, 7)

  let deep: string | undefined
  for (let page = 0; page < 50; page++)
    deep = (await listDecisions(ctx, tenant, { ...last(30), cursor: deep, limit: 200 })).nextCursor ?? undefined

  const reads: Record<string, Case['call']> = {
    'decisions.list, first page': () => listDecisions(ctx, tenant, { ...last(30), limit: 50 }),
    'decisions.list, one site': () => listDecisions(ctx, tenant, { ...last(30), site: site.id, limit: 50 }),
    'decisions.list, 200 rows, three weeks back': () =>
      listDecisions(ctx, tenant, { from: now - 30 * 86_400, to: now - 21 * 86_400, limit: 200 }),
    'decisions.list, an action of 1 in 50,000': () =>
      listDecisions(ctx, tenant, { ...last(30), action: 'rare', limit: 50 }),
    'decisions.list, an action that there is not': () =>
      listDecisions(ctx, tenant, { ...last(30), action: 'none', limit: 50 }),
    'decisions.list, page 51': () => listDecisions(ctx, tenant, { ...last(30), cursor: deep, limit: 200 }),
    ...Object.fromEntries(
      Object.entries(FILTERS).map(([what, filters]) => [
        `decisions.list, ${what}`,
        () => listDecisions(ctx, tenant, { ...last(30), ...filters, limit: 200 }),
      ]),
    ),
    'decisions.get, with its neighbours': async (turn) => {
      const id = nth(decisions, turn)
      await Promise.all([traceDecision(ctx, { id }), neighboursOf(ctx, tenant, id)])
    },
    'decisions.tail': async () => void (await tailDecisions(ctx, tenant, {}).next()),
    'decisions.get': (turn) => traceDecision(ctx, { id: nth(decisions, turn) }),
    'refusals.list': () => listRefusals(ctx, tenant, { ...last(30), limit: 50 }),
    'refusals.list, one site and endpoint': () =>
      listRefusals(ctx, tenant, { ...last(30), site: site.id, endpoint: '/solve', limit: 50 }),
    'refusals.list, of a request': (turn) =>
      listRefusals(ctx, tenant, { ...last(30), request: `req_${nth(requests, turn).replaceAll('-', '')}`, limit: 50 }),
    'references.get': (turn) => findReference(ctx, nth(references, turn), undefined),
    'refusals.list, a code that there is not': () =>
      listRefusals(ctx, tenant, { ...last(30), code: 'none', limit: 50 }),
    'usage.series, 24 hours': () => usageSeries(ctx, tenant, last(1)),
    'usage.series, 7 days by hour': () => usageSeries(ctx, tenant, last(7)),
    'usage.series, 30 days': () => usageSeries(ctx, tenant, last(30)),
    'usage.series, a site, 7 days by hour': () => usageSeries(ctx, { ...tenant, sites: [site.id] }, last(7)),
    'usage.bySite, 30 days': () => usageBySite(ctx, tenant, last(30)),
    'usage.meter': () => meter(ctx, tenant),
    'usage.months': () => listMonths(ctx, tenant, { limit: 50 }),
    'usage.statement': () => statement(ctx, tenant, `${month}-01`),
    'tenants.summary': () => viewSummary(member),
    'sites.activity': () => viewActivity(ctx, site),
    'sites.integration': () => viewIntegration(ctx, site),
    'hostnames.refused': () => listRefusedHostnames(member, site),
    'feedback.list': () => listFeedback(ctx, tenant, { ...last(30), limit: 50 }),
    'feedback.list, one site, a type that there is not': () =>
      listFeedback(ctx, tenant, { ...last(30), site: site.id, type: 'none', limit: 50 }),
    'feedback.list, abuse of an action': () =>
      listFeedback(ctx, tenant, { ...last(30), outcome: 'confirmed_abuse', action: 'rare', limit: 50 }),
    'feedback.rates, 30 days': () => feedbackRates(ctx, tenant, last(30)),
    'feedback.history': (turn) => feedbackHistory(ctx, tenant, nth(reported, turn)),
    'grants.list': () => listGrants(member, { ...last(30), limit: 50 }),
    'grants.list, of a session': (turn) => listGrants(member, { ...last(30), session: nth(sessions, turn), limit: 50 }),
    'grants.list, active ones of a site': () =>
      listGrants(member, { ...last(30), state: 'active', site: site.id, limit: 50 }),
    'audit.list': () => listAudit(ctx, tenant, { limit: 50 }),
    'audit.list, a text that there is not': () => listAudit(ctx, tenant, { text: 'none', limit: 50 }),
    'staff.tenants.list': () => listAllTenants(staff, { limit: 50 }),
    'staff.tenants.list, with anomalies only': () => listAllTenants(staff, { attention: true, limit: 50 }),
    'staff.tenants.get': () => viewAnyTenant(staff, { tenant: tenant.slug }),
    'staff.usage': () => usageOfAll(ctx, month),
    'staff.audit': () => listStaffAudit(staff, { limit: 50 }),
    'staff.trace': (turn) => traceAnything(staff, nth(decisions, turn)),
  }
  const searches: Record<string, (turn: number) => string> = {
    'a decision': (turn) => `dec_${nth(decisions, turn).replaceAll('-', '')}`,
    'an intent': (turn) => nth(decisions, turn),
    'a request': (turn) => `req_${nth(requests, turn).replaceAll('-', '')}`,
    'the short id of a decision': () => recent.slice(-8),
    'a short id that there is not': () => '00000000',
    'a reference code': (turn) => nth(references, turn),
    'a grant': (turn) => nth(grants, turn),
    'a feedback event': (turn) => nth(events, turn),
    'a site key': () => site.sitekey,
    'a tenant': () => 'bench-117',
    'an e-mail': () => 'unknown@shop.example',
    'an id that there is not': () => crypto.randomUUID(),
  }
  return [
    ...Object.entries(reads).map(([name, call]) => ({ name, call, limit: 100 })),
    ...Object.entries(searches).map(([what, text]) => ({
      name: `staff.search, ${what}`,
      call: (turn: number) => searchAnything(staff, text(turn)),
      limit: 20,
    })),
  ]
}
