import { Prisma } from '../../prisma/client/client.ts'
import type { Context } from '../kit/context.ts'

/** Maximum rows per statement, so that no lock is held for long. */
const CHUNK = 1000

/** Expired rows, by the database's clock. The audit log keeps the facts about an invitation, without its e-mail address. */
const OVER = {
  session: Prisma.sql`expires_at < now()`,
  verification: Prisma.sql`expires_at < now()`,
  // a revocation can be taken back for 5 minutes
  grant_revocation: Prisma.sql`revoked_at < now() - interval '1 day'`,
  invitation: Prisma.sql`expires_at < now() - interval '30 days'`,
  // the address was never verified; the person can sign up again
  user: Prisma.sql`not email_verified and created_at < now() - interval '30 days'`,
} as const

export type Swept = Record<keyof typeof OVER, number>

/**
 * Deletes sessions and one-time values that have ended, records of revocations a day later, invitations that ended 30 days ago, accepted or not, and sign-ups
 * that nobody confirmed in 30 days. They open nothing any more: this is for the space, and for the addresses and browsers
 * that they name. Returns how many of each.
 */
export async function sweepAccounts({ prisma }: Pick<Context, 'prisma'>): Promise<Swept> {
  const sweep = async (table: keyof typeof OVER): Promise<number> => {
    const name = Prisma.raw(`"${table}"`)
    for (let swept = 0; ; ) {
      const count = await prisma.$executeRaw`
        delete from ${name} where id in (select id from ${name} where ${OVER[table]} limit ${CHUNK} for update skip locked)`
      swept += count
      if (count < CHUNK) return swept
    }
  }
  return {
    session: await sweep('session'),
    verification: await sweep('verification'),
    grant_revocation: await sweep('grant_revocation'),
    invitation: await sweep('invitation'),
    user: await sweep('user'),
  }
}
