import { useQuery } from '@tanstack/react-query'
import { trpc } from '../trpc.ts'
import { PageLink } from '../ui/form/Button.tsx'
import { ErrorPanel } from '../ui/page/ErrorNotice.tsx'
import { Section, Skeleton } from '../ui/page/Page.tsx'
import { Anomalies } from './Anomalies.tsx'
import { TenantLink } from './TenantLink.tsx'

const SHOWN = 8
const REFRESH_MS = 60_000

/** The newest tenants with a problem. */
export function Attention() {
  const tenants = useQuery(
    trpc.staff.tenants.list.queryOptions({ attention: true, limit: SHOWN }, { refetchInterval: REFRESH_MS }),
  )
  const { data, error } = tenants
  return (
    <Section
      title="Needs attention"
      description="Proactive: tenants that are suspended, out of units, silent, or have many refusals."
      actions={
        <PageLink to="/staff/tenants" search={{ attention: true }}>
          Show all
        </PageLink>
      }
    >
      {error && !data ? (
        <ErrorPanel error={error} retrying={tenants.isFetching} onRetry={() => void tenants.refetch()} />
      ) : (
        <ul className="divide-y divide-line overflow-hidden rounded-panel border border-line bg-surface text-13">
          {!data && (
            <li className="px-4 py-2.5">
              <Skeleton width="long" />
            </li>
          )}
          {data?.rows.length === 0 && <li className="px-4 py-2.5 text-ink-2">No tenants need attention.</li>}
          {data?.rows.map(({ id, name, anomalies, suspended }) => (
            <li key={id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 px-4 py-2">
              <TenantLink tenant={{ id, name }} />
              <Anomalies anomalies={anomalies} suspended={suspended} />
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}
