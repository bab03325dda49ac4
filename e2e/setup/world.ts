import { randomUUID } from 'node:crypto'
import { randomBase62 } from '../../server/kit/crypto/ids.ts'
import { createTestClient } from '../../test/support/client.ts'
import { decide, newSession, refusalsWritten } from './decided.ts'
import type { Member } from './member.ts'
import type { Service } from './service.ts'
import type { Site } from './site.ts'

/** What the pages of a tenant with traffic show, by the parameters of their addresses. */
export type World = {
  decision: string
  reference: string
  incident: string
  /** Of the incident's public page. */
  token: string
  invitation: string
  webhook: string
}

const DECISIONS = 3

/** Gives the site decisions, grants, feedback, refusals and an incident, and the tenant an open invitation. */
export async function fillTenant(service: Service, owner: Member, site: Site): Promise<World> {
  const { sql } = service
  await sql.query("update site set base_work = 1024, challenge_kind = 'sha256' where id = $1", [site.id])
  const client = createTestClient(service.url)
  let decision = ''
  for (let n = 0; n < DECISIONS; n++) {
    const session = newSession()
    decision = await decide(service, site, { session })
    await client.asSite('/grants', site, { decision_id: decision, session })
    await client.asSite('/feedback', site, {
      decision_id: decision,
      event_id: randomUUID(),
      outcome: 'confirmed_abuse',
      business_type: 'chargeback',
      occurred_at: Math.floor(Date.now() / 1000),
    })
  }
  let request = ''
  for (const fields of [{ hostname: 'mirror.example' }, { action: '' }, { hostname: 'other.example' }])
    request = (await client.intent(site, fields)).headers.get('x-request-id') ?? ''
  await refusalsWritten(service, owner, 3)
  const [incident, token] = [randomUUID(), randomBase62(32)]
  await sql.query(
    `insert into incident (id, tenant_id, site_id, kind, started_at, seen_at, ended_at, peak, usual, networks, work_from, work_to, honest_work, share_token)
     values ($1, $2, $3, 'refusals', now() - interval '2 hours', now() - interval '1 hour', now() - interval '1 hour', 60, 0, 1, 1024, 1024, 1024, $4)`,
    [incident, owner.tenantId, site.id, token],
  )
  const invitation = randomUUID()
  await sql.query(
    `insert into invitation (id, tenant_id, email, role, inviter_id, expires_at)
     values ($1, $2, 'dana@people.example', 'developer', $3, now() + interval '3 days')`,
    [invitation, owner.tenantId, owner.userId],
  )
  const webhook = randomUUID()
  await sql.query(
    `insert into webhook_endpoint (id, tenant_id, url, types, secret) values ($1, $2, 'https://hooks.example', '{incident.started}', '')`,
    [webhook, owner.tenantId],
  )
  return { decision, reference: request.slice(-8), incident, token, invitation, webhook }
}
