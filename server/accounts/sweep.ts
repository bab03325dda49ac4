import { Prisma } from '../../prisma/client/client.ts'
import type { Retention } from '../kit/config/retention.ts'
import type { Context } from '../kit/context.ts'
import { atOnce, type Pace } from '../kit/process/pace.ts'

/** For how long the reply to a call of the management API is kept for repetitions. */
export const REPLY_KEPT = '24 hours'

/** Maximum rows per statement, so that no lock is held for long. */
const CHUNK = 1000

/** Expired rows, by the database's clock. The audit log keeps the facts about an invitation and about a sign-in. */
const overOf = ({ invitationDays, signUpDays, activityDays }: Retention) => ({
  session: Prisma.sql`expires_at < now()`,
  verification: Prisma.sql`expires_at < now()`,
  // a revocation can be taken back for 5 minutes
  grant_revocation: Prisma.sql`revoked_at < now() - interval '1 day'`,
  // for repetitions of a call; it can contain a secret's text
  api_reply: Prisma.sql`created_at < now() - ${REPLY_KEPT}::interval`,
  invitation: Prisma.sql`expires_at < now() - make_interval(days => ${invitationDays})`,
  account_event: Prisma.sql`created_at < now() - make_interval(days => ${activityDays})`,
  // the address was never verified; the person can sign up again
  user: Prisma.sql`not email_verified and created_at < now() - make_interval(days => ${signUpDays})`,
})

export type Swept = Record<keyof ReturnType<typeof overOf>, number>

/**
 * Deletes sessions and one-time values that have ended, records of revocations and the replies of the management API a day later, invitations that ended some
 * time ago, accepted or not, sign-ups that were not confirmed, and from where people signed in. They open nothing any more:
 * this is for the space, and for the addresses and browsers that they name. Returns how many of each.
 */
export async function sweepAccounts(
  { prisma, config }: Pick<Context, 'prisma' | 'config'>,
  pace: Pace = atOnce,
): Promise<Swept> {
  const over = overOf(config.retention)
  const sweep = async (table: keyof Swept): Promise<number> => {
    const name = Prisma.raw(`"${table}"`)
    for (let swept = 0; ; ) {
      const count = await pace(
        () => prisma.$executeRaw`
        delete from ${name} where id in (select id from ${name} where ${over[table]} limit ${CHUNK} for update skip locked)`,
      )
      swept += count
      if (count < CHUNK) return swept
    }
  }
  return {
    session: await sweep('session'),
    verification: await sweep('verification'),
    grant_revocation: await sweep('grant_revocation'),
    api_reply: await sweep('api_reply'),
    invitation: await sweep('invitation'),
    account_event: await sweep('account_event'),
    user: await sweep('user'),
  }
}
