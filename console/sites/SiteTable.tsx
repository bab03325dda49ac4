import { useInfiniteQuery } from '@tanstack/react-query'
import type { inferOutput } from '@trpc/tanstack-react-query'
import type { ReactNode } from 'react'
import { useTenant } from '../frame/useTenant.ts'
import { trpc } from '../trpc.ts'
import { CopyText } from '../ui/Copy.tsx'
import { type Column, DataTable } from '../ui/DataTable.tsx'
import { Link } from '../ui/Link.tsx'
import { whole } from '../ui/number.ts'
import { Time } from '../ui/Time.tsx'
import { SiteState } from './SiteState.tsx'

type Site = inferOutput<typeof trpc.sites.list>['rows'][number]

const COLUMNS = {
  site: { header: 'Site', width: 'wide', cell: (site) => <SiteLink {...site} /> },
  state: { header: 'State', cell: ({ paused }) => <SiteState paused={paused} /> },
  hostnames: { header: 'Hostnames', align: 'right', cell: ({ hostnames }) => whole(hostnames.length) },
  sitekey: {
    header: 'Site key',
    cell: ({ name, sitekey }) => <CopyText text={sitekey} name={`site key of ${name}`} />,
  },
  liveSecrets: { header: 'Live secrets', align: 'right', cell: ({ liveSecrets }) => whole(liveSecrets) },
  made: { header: 'Made', align: 'right', cell: ({ createdAt }) => <Time at={createdAt} as="relative" /> },
} satisfies Record<string, Column<Site>>

/** The sites of the page's tenant, in the order in which they were made. */
export function SiteTable({ columns, empty }: { columns: readonly (keyof typeof COLUMNS)[]; empty: ReactNode }) {
  const { slug } = useTenant()
  const sites = useInfiniteQuery(
    trpc.sites.list.infiniteQueryOptions({ tenant: slug }, { getNextPageParam: ({ nextCursor }) => nextCursor }),
  )
  return (
    <DataTable
      label="Sites"
      list={sites}
      columns={columns.map((name) => COLUMNS[name])}
      rowKey={({ id }) => id}
      empty={empty}
    />
  )
}

function SiteLink({ id, name }: Site) {
  const { slug } = useTenant()
  return (
    <Link to="/o/$tenant/sites/$site" params={{ tenant: slug, site: id }}>
      {name}
    </Link>
  )
}
