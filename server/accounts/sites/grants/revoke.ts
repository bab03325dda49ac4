import { Prisma } from '../../../../prisma/client/client.ts'
import { newId } from '../../../kit/crypto/ids.ts'
import type { Db } from '../../../kit/db/transact.ts'
import { AppError } from '../../../kit/error.ts'
import type { MemberCtx } from '../../access.ts'
import { change } from '../../change.ts'

/** `id`: what `restoreGrants` takes. `grants`: those that this call revoked. */
export type Revocation = { id: string; grants: string[] }

/** Revokes a grant: the next intent that names it is refused. Throws AppError. */
export async function revokeGrantAsMember(ctx: MemberCtx, grant: string): Promise<Revocation> {
  return change(ctx, async (ctx) => {
    const where = Prisma.sql`g.id = ${grant}::uuid`
    const revoked = await revoke(ctx, where, Prisma.sql`g.used < g.uses and g.expires_at > now()`)
    if (revoked.grants.length === 0) {
      const known = await ctx.prisma.grant.count({ where: { id: grant, tenantId: ctx.tenant.id } })
      if (known === 0) throw new AppError('grant-not-found')
      throw new AppError('grant-ended')
    }
    return recorded(ctx, grant, revoked)
  })
}

/**
 * Revokes all grants of a session at the tenant's sites, including those that ended so recently that a decision which they
 * exempted may still renew them: an intent is valid for 5 minutes, and a decision can renew a grant for 10. `session`: its
 * 64 hex digits. Throws AppError.
 */
export async function revokeSessionAsMember(ctx: MemberCtx, session: string): Promise<Revocation> {
  return change(ctx, async (ctx) => {
    const sites = Prisma.sql`g.site_id in (select id from site where tenant_id = ${ctx.tenant.id}::uuid)`
    const where = Prisma.sql`${sites} and g.session = ${session}`
    // waits for concurrent renewals; the next statement sees what they inserted
    await ctx.prisma
      .$queryRaw`select 1 from captcha_grant g where ${where} and g.tenant_id = ${ctx.tenant.id}::uuid order by g.id for update`
    const revoked = await revoke(ctx, where, Prisma.sql`g.expires_at > now() - interval '15 minutes'`)
    if (revoked.grants.length === 0) throw new AppError('session-without-grants')
    // the audit log is kept permanently, so it contains no more of a session than lists show
    return recorded(ctx, session.slice(0, 8), revoked)
  })
}

type Revoked = { grants: string[]; at: string | null }

/** Revokes grants that match `lives` and are not revoked. `at`: the time, to the microsecond, in UTC. */
async function revoke(
  { prisma, tenant }: Db & Pick<MemberCtx, 'tenant'>,
  where: Prisma.Sql,
  lives: Prisma.Sql,
): Promise<Revoked> {
  // an intent spends a grant under its row's lock: these are taken in the same order, and judged when they are held
  const rows = await prisma.$queryRaw<{ id: string; at: string }[]>`
    with mine as (
      select g.id from captcha_grant g
      where ${where} and g.tenant_id = ${tenant.id}::uuid
        and g.revoked_at is null and ${lives}
      order by g.id for update
    )
    update captcha_grant g set revoked_at = now() from mine where g.id = mine.id and g.tenant_id = ${tenant.id}::uuid
    returning g.id::text, to_char(g.revoked_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at`
  return { grants: rows.map(({ id }) => id).toSorted(), at: rows[0]?.at ?? null }
}

async function recorded({ prisma, tenant }: Db & Pick<MemberCtx, 'tenant'>, target: string, { grants, at }: Revoked) {
  const id = newId()
  // the time as text: a Date of JavaScript has no microseconds
  await prisma.$executeRaw`
    insert into grant_revocation (id, tenant_id, target, grant_ids, revoked_at)
    values (${id}::uuid, ${tenant.id}::uuid, ${target}, ${grants}::uuid[], ${at}::timestamptz)`
  return {
    out: { id, grants },
    change: { tenantId: tenant.id, action: 'grant.revoke', target, after: { grants, revokedAt: at } },
  }
}
