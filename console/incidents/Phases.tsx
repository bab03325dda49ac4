import type { inferOutput } from '@trpc/tanstack-react-query'
import type { trpc } from '../trpc.ts'
import { Section, Skeleton } from '../ui/page/Page.tsx'
import { EmptyState } from '../ui/table/EmptyState.tsx'
import { type Column, column, Table } from '../ui/table/Table.tsx'
import { elapsed, whole } from '../ui/text/format.ts'
import { useNow } from '../ui/text/Time.tsx'

type Phase = inferOutput<typeof trpc.incidents.get>['phases'][number]

const PHASES = { before: 'Before', during: 'During', after: 'After' } as const

type Row = Phase & { seconds: number }

const perMinute = (n: number, { seconds }: Row) =>
  `${whole(n)} (${n > 0 && n * 600 < seconds ? '<0.1' : whole(Math.round((n * 600) / seconds) / 10)} a minute)`

const phaseColumns: readonly Column<Row>[] = [
  column('Time', ({ name }) => PHASES[name]),
  column('Refused', (phase) => (phase.refused === null ? '–' : perMinute(phase.refused, phase)), { align: 'right' }),
  column('Completed', (phase) => perMinute(phase.completed, phase), { align: 'right' }),
  column('Challenge raised', ({ raised }) => whole(raised), { align: 'right' }),
]

const columns: readonly Column<Row>[] = [
  ...phaseColumns,
  column('Units charged', ({ charged }) => whole(charged), { align: 'right' }),
]

/** The traffic of an incident, beside the time before it and after it. `shared`: without what was charged, for a link. */
export function Phases({
  incident,
  shared = false,
}: {
  incident: { phases: Phase[]; step: number; startedAt: number; endedAt: number | null } | undefined
  shared?: boolean
}) {
  const now = useNow()
  // the steps of the incident begin before it, and may end after it
  const lasted = incident && (incident.endedAt ?? now) - incident.startedAt
  const rows = incident?.phases.map((phase) => {
    const seconds = phase.to - phase.from
    return { ...phase, seconds: phase.name === 'during' && lasted ? Math.min(seconds, lasted) : seconds }
  })
  const list = { data: rows, error: null, isFetching: !incident, refetch: () => undefined }
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
