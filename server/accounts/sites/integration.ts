import { PROBE_ACTIONS } from '../../contract/names.ts'
import { groupBy } from '../../ledger/usage/groupBy.ts'
import type { MemberCtx } from '../access.ts'
import { MOST_COUNTED, type SiteActivity, viewActivity } from './activity.ts'
import { isServerMistake } from './doctor/mistakes.ts'
import { TEST_BEHAVIOURS, type TestBehaviour, testSitekey } from './testKeys/behaviour.ts'
import { TEST_TENANT, testSecret } from './testKeys/ensure.ts'

export type TestKey = {
  sitekey: string
  /** The published secret key. */
  secret: string
  name: string
  refuses: NonNullable<TestBehaviour['refuses']> | null
}

export type Integration = SiteActivity & {
  /** Of the last 24 hours, by endpoint. */
  refused: RefusedCalls[]
  /** Empty if the deployment has no test keys. */
  testKeys: TestKey[]
  /**
   * When a test key was last used for one of the site's hostnames other than loopback's, in the last 24 hours; null if never. Test
   * keys are public, so it may not have been this tenant.
   */
  testKeyAt: number | null
}

/**
 * Refused calls of an endpoint, at most MOST_COUNTED: all of them, or if there are any, those that are mistakes of the merchant's
 * server (`mistake`). `code`, `field` and `at` (Unix seconds) are those of the last one. `all`: with the others.
 */
export type RefusedCalls = {
  endpoint: string
  count: number
  all: number
  mistake: boolean
  code: string
  field: string | null
  at: number
}

/** The values that an integration needs, and its recent activity. */
export async function viewIntegration(
  ctx: Pick<MemberCtx, 'prisma' | 'config'>,
  site: { id: string; tenantId: string },
): Promise<Integration> {
  const [activity, testKeyAt, refused] = await Promise.all([
    viewActivity(ctx, site),
    lastTestKeyUse(ctx, site),
    refusedCalls(ctx, site),
  ])
  return {
    ...activity,
    testKeys: ctx.config.testKeys ? TEST_BEHAVIOURS.map(toTestKey) : [],
    testKeyAt,
    refused,
  }
}

/** Without those of the console's playground and of the SDK's doctor, which are no calls of the merchant. */
async function refusedCalls(
  { prisma }: Pick<MemberCtx, 'prisma'>,
  site: { id: string; tenantId: string },
): Promise<RefusedCalls[]> {
  const kinds = await prisma.$queryRaw<Omit<RefusedCalls, 'all' | 'mistake'>[]>`
    select endpoint, code, field, count(*)::float8 as count, floor(extract(epoch from max(at)))::float8 as at
    from (
      select endpoint, code, field, hostname, at, intent_id from refusal
      where site_id = ${site.id}::uuid and at > now() - interval '24 hours'
      order by at desc limit ${MOST_COUNTED}::int
    ) latest
    where not exists (
      select from intent i
      where i.id = latest.intent_id and i.tenant_id = ${site.tenantId}::uuid and i.action = any(${PROBE_ACTIONS}::text[])
    )
      -- what was allowed since is no longer refused
      and not (code = 'bad-field' and field = 'hostname' and exists (
        select from hostname h where h.site_id = ${site.id}::uuid and h.hostname = latest.hostname
      ))
    group by endpoint, code, field order by endpoint, max(latest.at) desc`
  return [...groupBy(kinds, ({ endpoint }) => endpoint).values()].map((ofEndpoint) => {
    const mistakes = ofEndpoint.filter(isServerMistake)
    const counted = mistakes.length > 0 ? mistakes : ofEndpoint
    const sum = (some: typeof kinds) => some.reduce((all, { count }) => all + count, 0)
    const [last] = counted as [(typeof kinds)[number]]
    return { ...last, count: sum(counted), all: sum(ofEndpoint), mistake: mistakes.length > 0 }
  })
}

/**
 * When a test key was last used for one of the site's hostnames other than loopback's, in the last 24 hours, in Unix seconds;
 * null if never.
 */
export async function lastTestKeyUse(
  { prisma }: Pick<MemberCtx, 'prisma'>,
  site: { id: string },
): Promise<number | null> {
  const [last] = await prisma.$queryRaw<{ at: number }[]>`
    select floor(extract(epoch from created_at))::float8 as at from intent
    where tenant_id = ${TEST_TENANT}::uuid and created_at > now() - interval '24 hours'
      -- on a developer's own machine a test key is no mistake
      and hostname in (select hostname from hostname where site_id = ${site.id}::uuid and hostname !~ '^(localhost|127[.][0-9.]+)$')
    order by created_at desc limit 1`
  return last?.at ?? null
}

const toTestKey = (behaviour: TestBehaviour): TestKey => ({
  sitekey: testSitekey(behaviour),
  secret: testSecret(behaviour),
  name: behaviour.name,
  refuses: behaviour.refuses ?? null,
})
