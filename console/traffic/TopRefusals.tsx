import { useParams, useSearch } from '@tanstack/react-router'
import { useTenant } from '../frame/useTenant.ts'
import { Section } from '../ui/page/Page.tsx'
import { type Column, DataTable, singlePage } from '../ui/table/DataTable.tsx'
import { EmptyState } from '../ui/table/EmptyState.tsx'
import { whole } from '../ui/text/format.ts'
import { Link } from '../ui/text/Link.tsx'
import type { UsageSeries } from './api.ts'
import { change } from './words.ts'

type RefusalGroup = UsageSeries['refusals'][number]

const MAX_ROWS = 6

const columns = (basis: string): readonly Column<RefusalGroup>[] => [
  { header: 'Code', width: 'wide', cell: (group) => <RefusalGroupLink {...group} /> },
  { header: 'Endpoint', cell: ({ endpoint }) => <code className="font-mono text-12">{endpoint}</code> },
  { header: 'Refused', align: 'right', cell: ({ n }) => whole(n) },
  { header: basis, align: 'right', cell: ({ n, before }) => change(n, before) },
]

/** The most frequent refusals. `basis`: what changes are relative to. */
export function TopRefusals({ refusals, basis }: { refusals: RefusalGroup[] | undefined; basis: string }) {
  const list = { data: refusals?.slice(0, MAX_ROWS), error: null, isFetching: !refusals, refetch: () => undefined }
  return (
    <Section title="Top errors">
      <DataTable
        label="Top errors"
        list={singlePage(list)}
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
  const errorCode = code === 'bad-field' ? 'bad-request' : code
  return (
    <span className="font-mono text-12 lg:whitespace-nowrap">
      {errorCode}
      {field !== null && ` ${field === '*' ? '(unknown field)' : field}`}
    </span>
  )
}
