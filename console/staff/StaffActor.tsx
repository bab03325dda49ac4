import { Pill } from '../ui/text/Pill.tsx'
import type { StaffTenantView } from './staffTenant.ts'

type Actor = StaffTenantView['entries'][number]['actor']

/** Who did it, by name; who is none of the tenant's own people is marked. */
export function StaffActor({ actor: { kind, name } }: { actor: Actor }) {
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2">
      {name}
      {kind !== 'member' && <Pill tone="info">{kind === 'staff' ? 'Staff' : 'Operator'}</Pill>}
    </span>
  )
}
