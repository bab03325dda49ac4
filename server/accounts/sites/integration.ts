import { PROBE_ACTIONS } from '../../contract/names.ts'
import type { MemberCtx } from '../access.ts'
import { MOST_COUNTED, type SiteActivity, viewActivity } from './activity.ts'
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

/** `count`: at most MOST_COUNTED. The others are of the last call: as in the list of refusals, `at` in Unix seconds. */
export type RefusedCalls = { endpoint: string; count: number; code: string; field: string | null; at: number }

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
const refusedCalls = ({ prisma }: Pick<MemberCtx, 'prisma'>, site: { id: string; tenantId: string }) =>
  prisma.$queryRaw<RefusedCalls[]>`
    select distinct on (endpoint) endpoint, (count(*) over (partition by endpoint))::float8 as count, code, field,
      floor(extract(epoch from at))::float8 as at
    from (
      select endpoint, code, field, at, intent_id from refusal
      where site_id = ${site.id}::uuid and at > now() - interval '24 hours'
      order by at desc limit ${MOST_COUNTED}::int
    ) latest
    where not exists (
      select from intent i
      where i.id = latest.intent_id and i.tenant_id = ${site.tenantId}::uuid and i.action = any(${PROBE_ACTIONS}::text[])
    )
    order by endpoint, latest.at desc`

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
