import { newId } from '../../server/kit/crypto/ids.ts'
import { byActor } from '../../server/ledger/audit/actor.ts'
import { recordAudit } from '../../server/ledger/audit/record.ts'
import type { SeedContext } from './context.ts'

type SignIn = { userId: string; at: Date }

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

/** The members' sign-ins: one before the changes that they made on a day, or two days ago for members who only looked. */
export async function seedSignIns({ prisma }: SeedContext, tenants: string[]): Promise<void> {
  const signIns = await prisma.$queryRaw<SignIn[]>`
    select m.user_id::text as "userId", coalesce(min(e.created_at) - interval '10 minutes', now() - interval '2 days') as at
    from (select distinct user_id from member where tenant_id = any(${tenants}::uuid[])) m
    left join audit_event e on e.actor_type = 'user' and e.actor_id = m.user_id::text
    group by m.user_id, date_trunc('day', e.created_at) order by at, m.user_id`
  for (const { userId, at } of signIns) {
    const id = newId()
    await prisma.accountEvent.create({
      data: { id, userId, network: '192.0.2.0/24', userAgent: BROWSER, createdAt: at },
    })
    await recordAudit(
      { prisma },
      {
        id,
        tenantId: null,
        ...byActor({ type: 'user', id: userId }),
        action: 'session.create',
        target: userId,
        after: { by: 'password' },
        createdAt: at,
      },
    )
  }
}
