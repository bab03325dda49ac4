import { Pill } from '../ui/text/Pill.tsx'
import type { AuditRow } from './Audit.tsx'

const KINDS = { staff: 'Support', operator: 'Operator' } satisfies Record<
  Exclude<AuditRow['actor']['kind'], 'member'>,
  string
>

/** The actor's name, with a label if it was not a member of the tenant. */
export function Actor({ actor: { kind, name } }: { actor: AuditRow['actor'] }) {
  if (kind === 'member') return name
  return (
    <span className="inline-flex flex-wrap items-center gap-2">
      {name} <Pill tone="info">{KINDS[kind]}</Pill>
    </span>
  )
}
