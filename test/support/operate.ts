import { newSecretKey, newSitekey } from '../../server/accounts/sites/keys.ts'
import { hashSecret } from '../../server/accounts/sites/secrets/verify.ts'
import { newId } from '../../server/kit/crypto/ids.ts'
import { reconcile } from '../../server/ledger/quota/reconcile.ts'
import type { TestApp } from './app.ts'
import type { MadeSite } from './make.ts'

/** `maxTtl` and `renewal` in seconds. */
type GrantPolicy = { grants: boolean; maxTtl: number; maxUses: number; renewal: number }

type Operated = Pick<TestApp, 'ctx' | 'sql'>

/** A site to create, with limits that no test reaches and minimal difficulty. */
type Shape = { hostnames: readonly string[]; subjectLimit: number }

const MAKE = `with t as (
    insert into tenant (id, slug, name, monthly_quota)
    select distinct s.tenant, s.tenant::text, 'Test', $2::int from jsonb_to_recordset($1) as s(tenant uuid)
  ), s as (
    insert into site (id, tenant_id, sitekey, name, base_work, work_mode, challenge_kind, rate_per_second, rate_burst, subject_limit)
    select s.id, s.tenant, s.sitekey, 'Test', 64, 'fixed', 'sha256', 10000, 20000, s.subjects
    from jsonb_to_recordset($1) as s(id uuid, tenant uuid, sitekey text, subjects int)
  ), h as (
    insert into hostname (site_id, tenant_id, hostname)
    select s.id, s.tenant, h from jsonb_to_recordset($1) as s(id uuid, tenant uuid, hostnames jsonb)
    cross join jsonb_array_elements_text(s.hostnames) as h
  )
  insert into secret (id, site_id, tenant_id, hash, last4)
  select s.secret_id, s.id, s.tenant, decode(s.hash, 'hex'), 'test'
  from jsonb_to_recordset($1) as s(id uuid, tenant uuid, secret_id uuid, hash text)`

/** Creates tenants with `quota` units a month and their sites in one go, because a run needs thousands. */
export async function makeTenants(
  { sql }: Operated,
  quota: number,
  shapes: readonly (readonly Shape[])[],
): Promise<MadeSite[][]> {
  const tenants = shapes.map((sites) => {
    const tenantId = newId()
    return sites.map((shape) => ({
      shape,
      made: { tenantId, siteId: newId(), sitekey: newSitekey(), secret: newSecretKey() },
    }))
  })
  const rows = tenants.flat().map(({ shape, made }) => ({
    id: made.siteId,
    tenant: made.tenantId,
    sitekey: made.sitekey,
    secret_id: newId(),
    hash: hashSecret(made.secret).toString('hex'),
    hostnames: shape.hostnames,
    subjects: shape.subjectLimit,
  }))
  await sql.query(MAKE, [JSON.stringify(rows), quota])
  return tenants.map((sites) => sites.map(({ made }) => made))
}

/** Changes by members and staff, effective immediately on this server. */
export function operate({ ctx, sql }: Operated) {
  /** Changes one tenant's sites and invalidates the server's cache. */
  const change = async (tenantId: string, statement: string, values: unknown[]) => {
    await sql.query(statement, values)
    ctx.invalidations.publish(tenantId)
  }
  return {
    pauseSite: ({ siteId, tenantId }: MadeSite, paused: boolean) =>
      change(tenantId, 'update site set paused_at = case when $2 then now() end where id = $1', [siteId, paused]),
    suspendTenant: (tenantId: string, suspended: boolean) =>
      change(tenantId, 'update tenant set suspended_at = case when $2 then now() end where id = $1', [
        tenantId,
        suspended,
      ]),
    setGrants: ({ siteId, tenantId }: MadeSite, policy: GrantPolicy) =>
      change(
        tenantId,
        'update site set grants_enabled = $2, grant_max_ttl = $3, grant_max_uses = $4, grant_renewal = $5 where id = $1',
        [siteId, policy.grants, policy.maxTtl, policy.maxUses, policy.renewal],
      ),
    allowHostname: ({ siteId, tenantId }: MadeSite, hostname: string, allowed: boolean) =>
      change(
        tenantId,
        allowed
          ? 'insert into hostname (site_id, tenant_id, hostname) values ($1, $2, $3)'
          : 'delete from hostname where site_id = $1 and tenant_id = $2 and hostname = $3',
        [siteId, tenantId, hostname],
      ),
    async setQuota(tenantId: string, quota: number): Promise<void> {
      await sql.query(
        `insert into quota_period (tenant_id, month, included) values ($1, utc_month(), $2)
          on conflict (tenant_id, month) do update set included = excluded.included`,
        [tenantId, quota],
      )
    },
    async topUp(tenantId: string, units: number): Promise<void> {
      await sql.query(
        `with entry as (insert into balance_entry (id, tenant_id, units, reason, actor_type, actor_id)
            values ($1, $2, $3, 'test', 'operator', 'test'))
          insert into balance (tenant_id, units) values ($2, $3)
          on conflict (tenant_id) do update set units = balance.units + excluded.units`,
        [newId(), tenantId, units],
      )
    },
    /** The charges of all tenants that do not match their decisions. */
    mismatches: async () => (await reconcile(ctx)).mismatches,
  }
}
