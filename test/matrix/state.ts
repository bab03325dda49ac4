import type { TestApp } from '../support/app.ts'
import type { World } from './world.ts'

/** All rows of the tenant, as text, which outsiders must not change. */
export async function stateOf({ sql }: TestApp, { tenant, session }: World): Promise<string> {
  const tables = [
    'site',
    'hostname',
    'secret',
    'member',
    'invitation',
    'audit_event',
    'grant_revocation',
    'quota_period',
    'balance',
    'captcha_grant',
    'feedback_event',
    'network_rule',
    'incident',
    'webhook_endpoint',
    'webhook_event',
    'webhook_delivery',
  ]
  const rows = await Promise.all([
    sql.query('select * from tenant where id = $1', [tenant.id]),
    sql.query('select * from session where id = $1', [session]),
    // not when they were used
    sql.query('select id, revoked_at from api_key where tenant_id = $1 order by id', [tenant.id]),
    ...tables.map((table) => sql.query(`select * from ${table} t where tenant_id = $1 order by t::text`, [tenant.id])),
  ])
  return JSON.stringify(rows.map((result) => result.rows))
}
