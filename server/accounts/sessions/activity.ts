import type { UserCtx } from '../access.ts'
import type { AccountAction } from './events.ts'

export type ActivityRow = {
  id: string
  action: AccountAction
  /** The first 24 bits of the IPv4 address or 48 of the IPv6 address, as `203.0.113.0/24`; null if unknown. */
  network: string | null
  /** The User-Agent header; empty if there was none. */
  userAgent: string
  /** Unix seconds. */
  at: number
}

const MOST = 50

/** The person's latest sign-ins and changes of how they sign in, newest first, at most 50. */
export const listActivity = ({ prisma, user }: UserCtx): Promise<ActivityRow[]> =>
  prisma.$queryRaw<ActivityRow[]>`
    select e.id::text as id, a.action, e.network, e.user_agent as "userAgent",
      floor(extract(epoch from e.created_at))::float8 as at
    from account_event e join audit_event a on a.id = e.id
    where e.user_id = ${user.id}::uuid order by e.created_at desc, e.id desc limit ${MOST}`
