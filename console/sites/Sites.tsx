import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense } from 'react'
import { useTenant } from '../frame/useTenant.ts'
import { trpc } from '../trpc.ts'
import { Sparkline } from '../ui/chart/Sparkline.tsx'
import { Button } from '../ui/form/Button.tsx'
import { useRange } from '../ui/form/period.ts'
import { Page } from '../ui/page/Page.tsx'
import { type Column, DataTable } from '../ui/table/DataTable.tsx'
import { EmptyState } from '../ui/table/EmptyState.tsx'
import { CopyText } from '../ui/text/Copy.tsx'
import { whole } from '../ui/text/format.ts'
import { Link } from '../ui/text/Link.tsx'
import { Snippet } from '../ui/text/Snippet.tsx'
import type { SiteRow } from './api.ts'
import { SiteStatePill } from './SiteParts.tsx'

const CreateSite = lazy(async () => ({ default: (await import('./CreateSite.tsx')).CreateSite }))

const route = getRouteApi('/o/$tenant/sites')

/** The tenant's sites, and the form that creates one. */
export function Sites() {
  const { slug, name, whyNot } = useTenant()
  const { create } = route.useSearch()
  const navigate = route.useNavigate()
  const setCreate = (create: true | undefined) => void navigate({ search: (search) => ({ ...search, create }) })

  return (
    <Page
      title="Sites"
      context={name}
      description="Each form or shop that you protect is a site with its own keys, hostnames and policy."
      actions={
        <Button look="primary" onClick={() => setCreate(true)} reason={whyNot('site.write')}>
          Create site
        </Button>
      }
    >
      <SiteTable
        empty={
          <EmptyState
            title="No sites yet"
            snippet={
              <Snippet
                name="Or from the terminal"
                text={`npm run tollgate -- site create --tenant ${slug} --name "My site" --hostname localhost`}
              />
            }
          >
            A site gives you a site key for your pages and a secret key for your backend. Add a few lines of code to
            complete your first verification.
          </EmptyState>
        }
      />
      <Suspense>
        <CreateSite open={create === true} onClose={() => setCreate(undefined)} />
      </Suspense>
    </Page>
  )
}

const columns: readonly Column<SiteRow>[] = [
  { header: 'Site', width: 'wide', cell: (site) => <SiteLink {...site} /> },
  { header: 'State', cell: ({ paused }) => <SiteStatePill paused={paused} /> },
  { header: 'Completed, 7 days', align: 'right', cell: (site) => <Trend {...site} /> },
  { header: 'Hostnames', align: 'right', cell: ({ hostnames }) => whole(hostnames.length) },
  { header: 'Site key', cell: ({ name, sitekey }) => <CopyText text={sitekey} name={`site key of ${name}`} /> },
  { header: 'Live secrets', align: 'right', cell: ({ liveSecrets }) => whole(liveSecrets) },
]

/** Completed verifications of the last 7 days by day. All rows share one query. */
function Trend({ id }: SiteRow) {
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

/** The tenant's sites, oldest first. */
function SiteTable({ empty }: { empty: ReactNode }) {
  const { slug } = useTenant()
  const sites = useInfiniteQuery(
    trpc.sites.list.infiniteQueryOptions({ tenant: slug }, { getNextPageParam: ({ nextCursor }) => nextCursor }),
  )
  return <DataTable label="Sites" list={sites} columns={columns} rowKey={({ id }) => id} empty={empty} />
}

function SiteLink({ id, name }: SiteRow) {
  const { slug } = useTenant()
  return (
    <Link to="/o/$tenant/sites/$site" params={{ tenant: slug, site: id }}>
      {name}
    </Link>
  )
}
