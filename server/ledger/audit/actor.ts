import { Prisma } from '../../../prisma/client/client.ts'
import type { ActorType } from '../../../prisma/client/enums.ts'

/** Who makes a change. `id`: of the user or the API key, or the name of the operator's account. */
export type Actor = { readonly type: ActorType; readonly id: string }

/** The actor in the columns of a row. */
export const byActor = ({ type, id }: Actor): { actorType: ActorType; actorId: string } => ({
  actorType: type,
  actorId: id,
})

/** The actor of a change as staff see it: always by name. */
export type StaffActor = { kind: 'member' | 'staff' | 'operator' | 'key' | 'oidc'; name: string; email: string | null }

/** The actor of the row `e` with the name and e-mail address of the person, if there still is one. */
export type ActorRow = {
  actor_type: ActorType
  actor_id: string
  actor_name: string | null
  actor_email: string | null
}

export const ACTOR_COLUMNS = Prisma.sql`e.actor_type::text as actor_type, e.actor_id,
  coalesce(u.name, k.name) as actor_name, u.email as actor_email`

/** The person `u` or the API key `k` who is the actor of the row `e`. */
export const WITH_PERSON = Prisma.sql`left join "user" u
  on u.id = case when e.actor_type in ('user', 'staff') then e.actor_id::uuid end
  left join api_key k on k.id = case when e.actor_type = 'key' then e.actor_id::uuid end`

/** The row with its actor as staff see it. */
export function withStaffActor<Row extends ActorRow>({
  actor_type,
  actor_id,
  actor_name,
  actor_email,
  ...row
}: Row): Omit<Row, keyof ActorRow> & { actor: StaffActor } {
  return { ...row, actor: staffActor(actor_type, actor_id, actor_name, actor_email) }
}

function staffActor(type: ActorType, id: string, name: string | null, email: string | null): StaffActor {
  switch (type) {
    case 'user':
      return { kind: 'member', name: name ?? 'Former user', email }
    case 'staff':
      return { kind: 'staff', name: name ?? 'Former staff', email }
    case 'operator':
      return { kind: 'operator', name: id, email: null }
    case 'key':
      return { kind: 'key', name: name ?? 'Former API key', email: null }
    case 'oidc':
      return { kind: 'oidc', name: 'Identity provider', email: null }
  }
}
