import { useTenant } from '../frame/useTenant.ts'
import type { VirtualColumn } from '../ui/table/VirtualTable.tsx'
import { Link } from '../ui/text/Link.tsx'
import { Outcome } from '../ui/text/Outcome.tsx'
import { Time } from '../ui/text/Time.tsx'
import type { DecisionRow } from './list.ts'
import { duration, OUTCOMES, TONES, tailOf } from './words.ts'

/** The widths of the columns below, in order; narrow screens show fewer columns. */
export const LAYOUT =
  'md:grid-cols-[5.5rem_8rem_minmax(0,1fr)_minmax(0,1fr)_minmax(0,1.1fr)_4.5rem] lg:grid-cols-[5.5rem_8rem_minmax(0,1fr)_minmax(0,1fr)_minmax(0,1.1fr)_4.5rem_4rem] xl:grid-cols-[5.5rem_8rem_minmax(0,1fr)_minmax(0,1fr)_minmax(0,1.5fr)_minmax(0,1.1fr)_4.5rem_4rem]'

export const columns: readonly VirtualColumn<DecisionRow>[] = [
  { header: 'Decision', cell: ({ decisionId }) => <DecisionLink id={decisionId} /> },
  { header: 'Completed', cell: ({ redeemedAt }) => <Time at={redeemedAt} as="second" /> },
  { header: 'Site', cell: ({ site }) => site.name ?? <span className="text-ink-2">Deleted</span> },
  { header: 'Action', cell: ({ action }) => action },
  { header: 'Hostname', from: 'xl', cell: ({ hostname }) => hostname },
  {
    header: 'Feedback',
    cell: ({ outcome }) =>
      outcome === null ? <None word="No feedback" /> : <Outcome is={TONES[outcome]} word={OUTCOMES[outcome]} />,
  },
  {
    header: 'Solved in',
    align: 'right',
    cell: ({ solveMs }) => (solveMs === null ? <span className="text-ink-2">Exempted</span> : duration(solveMs)),
  },
  {
    header: 'Device',
    from: 'lg',
    cell: ({ device }) => (device === null ? <None word="Unknown" /> : device === 'mobile' ? 'Mobile' : 'Desktop'),
  },
]

/** A dash, with words for screen readers. */
function None({ word }: { word: string }) {
  return (
    <>
      <span aria-hidden className="text-ink-3">
        –
      </span>
      <span className="sr-only">{word}</span>
    </>
  )
}

function DecisionLink({ id }: { id: string }) {
  const { slug } = useTenant()
  return (
    <Link to="/o/$tenant/decisions/$id" params={{ tenant: slug, id }}>
      <span className="font-mono text-12">
        <span className="sr-only">Decision </span>
        {tailOf(id)}
      </span>
    </Link>
  )
}
