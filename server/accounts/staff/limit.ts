import type { Db } from '../../kit/db/transact.ts'
import { AppError } from '../../kit/error.ts'
import type { StaffCtx } from '../access.ts'

/**
 * A change of units. `size`: how many it sets, adds or removes. `gives`: how many the tenant has more afterwards, negative if it has
 * fewer.
 */
type Units = { size: number; gives: number }

/**
 * Changes of units by one member of staff run one at a time until the transaction ends, so that what they have given is counted
 * in full. Before the lock of a tenant's period, in every transaction.
 */
export async function lockGiver(ctx: Db & Pick<StaffCtx, 'user'>): Promise<void> {
  await ctx.prisma.$executeRaw`select pg_advisory_xact_lock(hashtext('units.give'), hashtext(${ctx.user.id}))`
}

/**
 * Whether the member of staff may make the change alone: it is not larger than their bound, nor is what they gave to all tenants
 * in the last 24 hours with it. What was undone, or approved by another lead (such a change has the request's id), does not
 * count. Call `lockGiver` first. Throws AppError for support; a lead's change waits for another lead.
 */
export async function mayChangeAlone(
  ctx: Db & Pick<StaffCtx, 'user' | 'level' | 'config'>,
  { size, gives }: Units,
): Promise<boolean> {
  const most = ctx.level === 'lead' ? ctx.config.leadUnitsMax : ctx.config.supportUnitsMax
  const isWithin = size <= most && (gives <= 0 || (await givenBy(ctx)) + gives <= most)
  if (!isWithin && ctx.level !== 'lead') throw new AppError('units-need-lead', { most })
  return isWithin
}

async function givenBy({ prisma, user }: Db & Pick<StaffCtx, 'user'>): Promise<number> {
  const [row] = await prisma.$queryRaw<{ given: number }[]>`
    select coalesce(sum(units), 0)::float8 as given from (
      select e.id, e.units from balance_entry e
      where e.actor_type = 'staff' and e.actor_id = ${user.id} and e.created_at > now() - interval '24 hours'
        and e.units > 0 and not exists (select 1 from balance_entry u where u.undoes = e.id)
      union all
      select c.id, c.units_after - c.units_before from quota_change c
      where c.actor_type = 'staff' and c.actor_id = ${user.id} and c.created_at > now() - interval '24 hours'
        and c.units_after > c.units_before and not exists (select 1 from quota_change u where u.undoes = c.id)
    ) alone
    where not exists (select 1 from unit_request r where r.id = alone.id)`
  return row?.given ?? 0
}
