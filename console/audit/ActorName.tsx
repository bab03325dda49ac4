import { Pill } from '../ui/text/Pill.tsx'
import type { AuditRow } from './api.ts'

const KINDS = { staff: 'Staff', operator: 'Operator', key: 'API key' } as const

/** The actor's name, with a label if it was not a member of the tenant. */
export function ActorName({ actor: { kind, name } }: { actor: Pick<AuditRow['actor'], 'kind' | 'name'> }) {
  if (!(kind in KINDS)) return name
  return (
    <span className="inline-flex flex-wrap items-center gap-2">
      {name} <Pill tone="info">{KINDS[kind as keyof typeof KINDS]}</Pill>
    </span>
  )
}
