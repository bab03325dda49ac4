import type { inferOutput } from '@trpc/tanstack-react-query'
import type { trpc } from '../trpc.ts'
import { Section, Skeleton } from '../ui/page/Page.tsx'
import { EmptyState } from '../ui/table/EmptyState.tsx'
import { type Column, column, Table } from '../ui/table/Table.tsx'
import { elapsed, whole } from '../ui/text/format.ts'

type Phase = inferOutput<typeof trpc.incidents.get>['phases'][number]

const PHASES = { before: 'Before', during: 'During', after: 'After' } as const

const perMinute = (n: number, { from, to }: Phase) =>
  `${whole(n)} (${n > 0 && n * 600 < to - from ? '<0.1' : whole(Math.round((n * 600) / (to - from)) / 10)} a minute)`

const phaseColumns: readonly Column<Phase>[] = [
  column('Time', ({ name }) => PHASES[name]),
  column('Refused', (phase) => (phase.refused === null ? '–' : perMinute(phase.refused, phase)), { align: 'right' }),
  column('Completed', (phase) => perMinute(phase.completed, phase), { align: 'right' }),
  column('Challenge raised', ({ raised }) => whole(raised), { align: 'right' }),
]

const columns: readonly Column<Phase>[] = [
  ...phaseColumns,
  column('Units charged', ({ charged }) => whole(charged), { align: 'right' }),
]

/** The traffic of an incident, beside the time before it and after it. `shared`: without what was charged, for a link. */
export function Phases({
  incident,
  shared = false,
}: {
  incident: { phases: Phase[]; step: number } | undefined
  shared?: boolean
}) {
  const list = { data: incident?.phases, error: null, isFetching: !incident, refetch: () => undefined }
  return (
    <Section
      title="Before, during and after"
      description={incident ? `Counted in steps of ${elapsed(incident.step)}.` : <Skeleton width="short" />}
    >
      <Table
        label="Before, during and after"
        list={list}
        columns={shared ? phaseColumns : columns}
        rowKey={({ name }) => name}
        empty={<EmptyState title="No traffic">Nothing was counted around this incident.</EmptyState>}
      />
    </Section>
  )
}
