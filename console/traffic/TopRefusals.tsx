import { useParams, useSearch } from '@tanstack/react-router'
import { useTenant } from '../frame/useTenant.ts'
import { Section } from '../ui/page/Page.tsx'
import { EmptyState } from '../ui/table/EmptyState.tsx'
import { type Column, column, Table } from '../ui/table/Table.tsx'
import { whole } from '../ui/text/format.ts'
import { Link } from '../ui/text/Link.tsx'
import type { UsageSeries } from './api.ts'
import { change, errorName } from './words.ts'

type RefusalGroup = UsageSeries['refusals'][number]

const MAX_ROWS = 6

const columns = (basis: string | null): readonly Column<RefusalGroup>[] => [
  column('Code', (group) => <RefusalGroupLink {...group} />, { width: 'wide' }),
  column('Endpoint', ({ endpoint }) => <code className="font-mono text-12">{endpoint}</code>),
  column('Refused', ({ n }) => whole(n), { align: 'right' }),
  ...(basis === null ? [] : [column<RefusalGroup>(basis, ({ n, before }) => change(n, before), { align: 'right' })]),
]

/** The most frequent refusals. `basis`: what changes are relative to; null if nothing is comparable. */
export function TopRefusals({ refusals, basis }: { refusals: RefusalGroup[] | undefined; basis: string | null }) {
  const list = { data: refusals?.slice(0, MAX_ROWS), error: null, isFetching: !refusals, refetch: () => undefined }
  return (
    <Section title="Top errors">
      <Table
        label="Top errors"
        list={list}
        columns={columns(basis)}
        rowKey={({ endpoint, code, field }) => `${endpoint} ${code} ${field}`}
        empty={
          <EmptyState title="No refused requests">
            Requests that the API refuses are listed here by code, with cause and fix.
          </EmptyState>
        }
      />
    </Section>
  )
}

/** A link to the requests of this type, with the same period and site. */
function RefusalGroupLink({ code, endpoint, field }: RefusalGroup) {
  const { slug, may } = useTenant()
  const { site } = useParams({ strict: false })
  const { period, from, to } = useSearch({ strict: false })
  const label = <RefusalCode code={code} field={field} />
  if (!may('refusal.read')) return label
  const search = { period, from, to, site, code, endpoint, ...(field !== null && { field }) }
  return (
    <Link to="/o/$tenant/refusals" params={{ tenant: slug }} search={search}>
      {label}
    </Link>
  )
}

/** The error code as in the API's response, with the field if there is one. */
export function RefusalCode({ code, field }: { code: string; field: string | null }) {
  return <span className="font-mono text-12 lg:whitespace-nowrap">{errorName(code, field)}</span>
}
