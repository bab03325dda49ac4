import { Link } from '../ui/text/Link.tsx'
import { Pill } from '../ui/text/Pill.tsx'
import type { Actor } from './api.ts'

/** A link to the tenant's page for staff. */
export function TenantLink({ tenant }: { tenant: { id: string; name: string } | null }) {
  if (!tenant) return <span className="text-ink-2">none</span>
  return (
    <Link to="/staff/tenants/$tenant" params={{ tenant: tenant.id }}>
      {tenant.name}
    </Link>
  )
}

/** The actor's name, with a label if it was not a member of the tenant. */
export function ActorName({ actor: { kind, name } }: { actor: Actor }) {
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2">
      {name}
      {kind !== 'member' && <Pill tone="info">{kind === 'staff' ? 'Staff' : 'Operator'}</Pill>}
    </span>
  )
}
