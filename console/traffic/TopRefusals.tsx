import { useParams, useSearch } from '@tanstack/react-router'
import { useTenant } from '../frame/useTenant.ts'
import { type Column, DataTable } from '../ui/DataTable.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Link } from '../ui/Link.tsx'
import { listingOf } from '../ui/listing.ts'
import { whole } from '../ui/number.ts'
import { Section } from '../ui/Page.tsx'
import type { UsageSeries } from './useSeries.ts'
import { change } from './words.ts'

type Kind = UsageSeries['refusals'][number]

const MOST = 6

const columns: readonly Column<Kind>[] = [
  { header: 'Code', width: 'wide', cell: (kind) => <KindLink {...kind} /> },
  { header: 'Endpoint', cell: ({ endpoint }) => <code className="font-mono text-12">{endpoint}</code> },
  { header: 'Refused', align: 'right', cell: ({ n }) => whole(n) },
  { header: 'Before', align: 'right', cell: ({ n, before }) => change(n, before) },
]

/** What was refused most, as the reference names it. */
export function TopRefusals({ refusals }: { refusals: Kind[] | undefined }) {
  const list = { data: refusals?.slice(0, MOST), error: null, isFetching: !refusals, refetch: () => undefined }
  return (
    <Section title="Refused most">
      <DataTable
        label="Refused most"
        list={listingOf(list)}
        columns={columns}
        rowKey={({ endpoint, code, field }) => `${endpoint} ${code} ${field}`}
        empty={
          <EmptyState title="Nothing was refused">
            What the API refuses stands here by code, with its likely cause and what mends it.
          </EmptyState>
        }
      />
    </Section>
  )
}

/** To the requests of the kind, in the same period and at the same site. */
function KindLink({ code, endpoint, field }: Kind) {
  const { slug, may } = useTenant()
  const { site } = useParams({ strict: false })
  const { period, from, to } = useSearch({ strict: false })
  const words = <RefusalCode code={code} field={field} />
  if (!may('refusal.read')) return words
  const search = { period, from, to, site, code, endpoint, ...(field !== null && { field }) }
  return (
    <Link to="/o/$tenant/refusals" params={{ tenant: slug }} search={search}>
      {words}
    </Link>
  )
}

/** A code as it is on the wire, with the field where one was at fault. */
export function RefusalCode({ code, field }: { code: string; field: string | null }) {
  const wire = code === 'bad-field' ? 'bad-request' : code
  return (
    <span className="font-mono text-12 lg:whitespace-nowrap">
      {wire}
      {field !== null && ` ${field === '*' ? '(unknown field)' : field}`}
    </span>
  )
}
