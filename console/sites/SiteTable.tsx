import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { inferOutput } from '@trpc/tanstack-react-query'
import type { ReactNode } from 'react'
import { useTenant } from '../frame/useTenant.ts'
import { trpc } from '../trpc.ts'
import { Sparkline } from '../ui/chart/Sparkline.tsx'
import { useRange } from '../ui/form/period.ts'
import { type Column, DataTable } from '../ui/table/DataTable.tsx'
import { CopyText } from '../ui/text/Copy.tsx'
import { whole } from '../ui/text/format.ts'
import { Link } from '../ui/text/Link.tsx'
import { SiteState } from './SiteState.tsx'

type Site = inferOutput<typeof trpc.sites.list>['rows'][number]

const columns: readonly Column<Site>[] = [
  { header: 'Site', width: 'wide', cell: (site) => <SiteLink {...site} /> },
  { header: 'State', cell: ({ paused }) => <SiteState paused={paused} /> },
  { header: 'Completed, 7 days', align: 'right', cell: (site) => <Trend {...site} /> },
  { header: 'Hostnames', align: 'right', cell: ({ hostnames }) => whole(hostnames.length) },
  { header: 'Site key', cell: ({ name, sitekey }) => <CopyText text={sitekey} name={`site key of ${name}`} /> },
  { header: 'Live secrets', align: 'right', cell: ({ liveSecrets }) => whole(liveSecrets) },
]

/** Completed verifications of the last 7 days by day. All rows share one query. */
function Trend({ id }: Site) {
  const { slug } = useTenant()
  const range = useRange({})
  const { data } = useQuery(trpc.usage.bySite.queryOptions({ tenant: slug, ...range }))
  const redeemed = data?.sites.find((site) => site.id === id)?.redeemed ?? []
  return (
    <span className="flex items-center justify-end gap-3">
      <Sparkline values={redeemed} />
      <span className="w-12 text-right">{data ? whole(redeemed.reduce((sum, n) => sum + n, 0)) : ''}</span>
    </span>
  )
}

/** The sites of the page's tenant, oldest first. */
export function SiteTable({ empty }: { empty: ReactNode }) {
  const { slug } = useTenant()
  const sites = useInfiniteQuery(
    trpc.sites.list.infiniteQueryOptions({ tenant: slug }, { getNextPageParam: ({ nextCursor }) => nextCursor }),
  )
  return <DataTable label="Sites" list={sites} columns={columns} rowKey={({ id }) => id} empty={empty} />
}

function SiteLink({ id, name }: Site) {
  const { slug } = useTenant()
  return (
    <Link to="/o/$tenant/sites/$site" params={{ tenant: slug, site: id }}>
      {name}
    </Link>
  )
}
