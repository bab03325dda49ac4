/** The actor of a change as staff see it, always with a name. */
export type StaffActor = { kind: 'member' | 'staff' | 'operator'; name: string; email: string | null }

/** Parses an audit row's `actor`; `name` and `email` are those of the person, if it is one. */
export function staffActor(actor: string, name: string | null, email: string | null): StaffActor {
  const [kind, who = ''] = actor.split(':', 2)
  if (kind === 'user') return { kind: 'member', name: name ?? 'Former user', email }
  if (kind === 'staff') return { kind: 'staff', name: name ?? 'Former staff', email }
  return { kind: 'operator', name: who, email: null }
}
