import type { UseQueryResult } from '@tanstack/react-query'
import type { inferOutput } from '@trpc/tanstack-react-query'
import type { trpc } from '../trpc.ts'
import { EmptyState } from '../ui/table/EmptyState.tsx'
import { type Column, column, Table } from '../ui/table/Table.tsx'
import { counted, percent } from '../ui/text/format.ts'
import { formatSeconds } from './solveTimes.ts'

export type Comparison = inferOutput<typeof trpc.sites.compare>
type Group = Comparison['all']
type Effect = NonNullable<Group['phones']>['now']
type Row = { who: string; share: number; now: Effect; draft: Effect }

/** Challenges by device: all of them, then those of each action that has a difficulty of its own. */
const rowsOf = ({ all, actions }: Comparison, own: readonly { action: string }[]): Row[] =>
  [all, ...actions.filter((group) => own.some(({ action }) => action === group.action))].flatMap(
    ({ action, phones, computers }) =>
      [
        { device: 'Phones and tablets', effect: phones },
        { device: 'Computers', effect: computers },
      ].flatMap(({ device, effect }) =>
        effect ? [{ who: action === null ? device : `${device}, ${action}`, ...effect }] : [],
      ),
  )

/** `1.0 s`, or `1.0 s → 2.1 s` where the policies differ. */
const change = (row: Row, text: (effect: Effect) => string) => {
  const [now, draft] = [text(row.now), text(row.draft)]
  if (now === draft) return now
  return (
    <span className="whitespace-nowrap">
      <span className="sr-only">Now </span>
      {now} <span aria-hidden>→</span> <span className="sr-only">, then </span>
      <strong className="font-semibold">{draft}</strong>
    </span>
  )
}

const columns: readonly Column<Row>[] = [
  column('Device', ({ who }) => who, { width: 'wide' }),
  column('Share', ({ share }) => percent(share), { align: 'right' }),
  column('Median wait', (row) => change(row, ({ waits }) => formatSeconds(waits.p50)), { align: 'right' }),
  column('95% within', (row) => change(row, ({ waits }) => formatSeconds(waits.p95)), { align: 'right' }),
  column('Raised', (row) => change(row, ({ raised }) => percent(raised)), { align: 'right' }),
]

/** What a draft would have asked for past challenges, beside what the policy asks. `own`: the draft's difficulties of single actions. */
export function PolicyEffect({
  label,
  own,
  comparison,
}: {
  label: string
  own: readonly { action: string }[]
  comparison: UseQueryResult<Comparison, unknown>
}) {
  const { data, error, isFetching, refetch } = comparison
  return (
    <div className="grid gap-2">
      <Table
        label={label}
        list={{ data: data && rowsOf(data, own), error, isFetching, refetch }}
        columns={columns}
        rowKey={({ who }) => who}
        empty={<EmptyState title="No challenges to compare">No challenge was solved in this time.</EmptyState>}
      />
      {data && data.sampled > 0 && (
        <p className="text-12 text-ink-2">
          {data.sampled < data.challenges
            ? `A sample of ${counted(data.sampled, 'challenge')}, which stand for about ${counted(data.challenges, 'challenge')}. `
            : `${counted(data.sampled, 'challenge')}. `}
          Attacks are counted too. Raised: something made the difficulty higher than the base.
        </p>
      )}
    </div>
  )
}
