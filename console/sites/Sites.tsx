import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { type ReactNode, Suspense, useEffect, useState } from 'react'
import { useTenant } from '../frame/useTenant.ts'
import { PAGED, trpc } from '../trpc.ts'
import { Sparkline } from '../ui/chart/Sparkline.tsx'
import { Button } from '../ui/form/Button.tsx'
import { INPUT } from '../ui/form/Field.tsx'
import { useRange } from '../ui/form/period.ts'
import { Select } from '../ui/form/Select.tsx'
import { lazyPart } from '../ui/overlay/lazyPart.ts'
import { Page } from '../ui/page/Page.tsx'
import { EmptyState, NoMatches } from '../ui/table/EmptyState.tsx'
import { type Column, column, Table } from '../ui/table/Table.tsx'
import { CopyText } from '../ui/text/Copy.tsx'
import { counted, whole } from '../ui/text/format.ts'
import { Link } from '../ui/text/Link.tsx'
import { Snippet } from '../ui/text/Snippet.tsx'
import type { SiteRow } from './api.ts'
import { SiteStatePill } from './SiteParts.tsx'
import { isFound } from './siteShape.ts'

const CreateSite = lazyPart(async () => (await import('./CreateSite.tsx')).CreateSite)

const route = getRouteApi('/o/$tenant/sites')

/** The tenant's sites, and the form that creates one. */
export function Sites() {
  const { slug, name, whyNot } = useTenant()
  const { create } = route.useSearch()
  const navigate = route.useNavigate()
  const { data: count } = useQuery(trpc.sites.count.queryOptions({ tenant: slug }))
  const full =
    count && count.sites >= count.most
      ? `The quota of this tenant allows ${counted(count.most, 'site')}. Delete one that is not used, or request more units.`
      : undefined
  const [isCreated, setCreated] = useState(false)
  const setCreate = (create: true | undefined) => void navigate({ search: (search) => ({ ...search, create }) })

  return (
    <Page
      title="Sites"
      context={name}
      description="Each form or shop that you protect is a site with its own keys, hostnames and policy."
      actions={
        <Button look="primary" onClick={() => setCreate(true)} reason={whyNot('site.write') ?? full}>
          Create site
        </Button>
      }
    >
      <SiteTable
        // nothing moves behind the form and the keys of the new site, which lead to its page
        held={create === true || isCreated}
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
        <CreateSite
          open={create === true && full === undefined}
          onCreated={() => setCreated(true)}
          onClose={() => setCreate(undefined)}
        />
      </Suspense>
    </Page>
  )
}

const columns: readonly Column<SiteRow>[] = [
  column('Site', (site) => <SiteLink {...site} />, { width: 'wide' }),
  column('State', ({ paused }) => <SiteStatePill paused={paused} />),
  column('Completed, 7 days', (site) => <Trend {...site} />, { align: 'right' }),
  column('Hostnames', ({ hostnames }) => whole(hostnames.length), { align: 'right' }),
  column('Site key', ({ name, sitekey }) => <CopyText text={sitekey} name={`site key of ${name}`} />),
  column('Active secrets', ({ liveSecrets }) => whole(liveSecrets), { align: 'right' }),
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
      <span className="md:w-12 md:text-right">{data ? whole(redeemed.reduce((sum, n) => sum + n, 0)) : ''}</span>
    </span>
  )
}

/** With fewer sites, the list is short enough to read. */
const SEARCH_FROM = 6

const SORTS = { newest: 'Newest first', name: 'By name', traffic: 'By traffic' } as const
const STATES = { all: 'All states', live: 'Live', paused: 'Paused' } as const

/** The tenant's sites with their completed verifications of 7 days. All of them are loaded, so that all can be searched. */
function useSites(held: boolean) {
  const { slug } = useTenant()
  const sites = useInfiniteQuery(
    trpc.sites.list.infiniteQueryOptions(
      { tenant: slug, limit: 200 },
      { ...PAGED, enabled: ({ state }) => !held || state.data === undefined },
    ),
  )
  const { hasNextPage, isFetching, isError, fetchNextPage } = sites
  useEffect(() => {
    if (hasNextPage && !isFetching && !isError) void fetchNextPage()
  }, [hasNextPage, isFetching, isError, fetchNextPage])
  const { data } = useQuery(trpc.usage.bySite.queryOptions({ tenant: slug, ...useRange({}) }))
  const traffic = new Map(data?.sites.map(({ id, redeemed }) => [id, redeemed.reduce((sum, n) => sum + n, 0)]))
  return {
    sites,
    rows: sites.data?.pages.flatMap((page) => page.rows),
    trafficOf: (id: string) => traffic.get(id) ?? 0,
  }
}

/** The tenant's sites, with search, filter and order in the URL. `held`: rows that are shown are not loaded again. */
function SiteTable({ held, empty }: { held: boolean; empty: ReactNode }) {
  const { q = '', state = 'all', sort = 'newest' } = route.useSearch()
  const navigate = route.useNavigate()
  const { sites, rows, trafficOf } = useSites(held)
  const set = (change: Partial<ReturnType<typeof route.useSearch>>) =>
    void navigate({ search: (now) => ({ ...now, ...change }), replace: true })
  const shown = rows
    ?.filter((site) => isFound(site, q) && (state === 'all' || (state === 'paused') === site.paused))
    .toSorted((a, b) =>
      sort === 'name'
        ? a.name.localeCompare(b.name)
        : sort === 'traffic'
          ? trafficOf(b.id) - trafficOf(a.id)
          : b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1),
    )
  return (
    <div className="grid gap-3">
      {(rows?.length ?? 0) >= SEARCH_FROM && (
        <search className="flex flex-wrap items-center gap-2">
          <input
            type="search"
            aria-label="Find a site"
            placeholder="Name, hostname or site key"
            value={q}
            onChange={({ target }) => set({ q: target.value === '' ? undefined : target.value })}
            className={`${INPUT} w-full! sm:w-64!`}
          />
          <Select
            label="State"
            value={state}
            onChange={(state) => set({ state: state === 'all' ? undefined : state })}
            options={STATES}
          />
          <Select
            label="Order"
            value={sort}
            onChange={(sort) => set({ sort: sort === 'newest' ? undefined : sort })}
            options={SORTS}
          />
          <output className="text-13 text-ink-2">
            {shown?.length === rows?.length ? '' : `${whole(shown?.length ?? 0)} of `}
            {counted(rows?.length ?? 0, 'site')}
          </output>
        </search>
      )}
      <Table
        label="Sites"
        list={{ ...sites, data: shown }}
        columns={columns}
        rowKey={({ id }) => id}
        empty={
          rows?.length === 0 ? empty : <NoMatches noun="site" onClear={() => set({ q: undefined, state: undefined })} />
        }
      />
    </div>
  )
}

function SiteLink({ id, name }: SiteRow) {
  const { slug } = useTenant()
  return (
    <Link to="/o/$tenant/sites/$site" params={{ tenant: slug, site: id }}>
      {name}
    </Link>
  )
}
