import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { inferOutput } from '@trpc/tanstack-react-query'
import { lazy, Suspense } from 'react'
import { useTenant } from '../frame/useTenant.ts'
import { trpc } from '../trpc.ts'
import { Button } from '../ui/Button.tsx'
import { CopyText } from '../ui/Copy.tsx'
import { type Column, DataTable } from '../ui/DataTable.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { counted } from '../ui/number.ts'
import { Page } from '../ui/Page.tsx'
import { Pill } from '../ui/Pill.tsx'
import { Snippet } from '../ui/Snippet.tsx'
import { Time } from '../ui/Time.tsx'

const CreateSite = lazy(async () => ({ default: (await import('./CreateSite.tsx')).CreateSite }))

const route = getRouteApi('/o/$tenant/sites')

const listOptions = (tenant: string) =>
  trpc.sites.list.infiniteQueryOptions({ tenant }, { getNextPageParam: ({ nextCursor }) => nextCursor })

type Site = inferOutput<typeof trpc.sites.list>['rows'][number]

const columns: readonly Column<Site>[] = [
  { header: 'Site', width: 'wide', cell: ({ name }) => <span className="font-medium">{name}</span> },
  {
    header: 'State',
    cell: ({ paused }) => (paused ? <Pill tone="challenge">Paused</Pill> : <Pill tone="pass">Live</Pill>),
  },
  { header: 'Hostnames', cell: ({ hostnames }) => summary(hostnames) },
  { header: 'Site key', cell: ({ sitekey }) => <CopyText text={sitekey} name="site key" /> },
  { header: 'Live secrets', align: 'right', cell: ({ liveSecrets }) => liveSecrets },
  { header: 'Made', align: 'right', cell: ({ createdAt }) => <Time at={createdAt} as="relative" /> },
]

/** The tenant's sites, and making one. */
export function Sites() {
  const { slug, name, whyNot } = useTenant()
  const { create } = route.useSearch()
  const navigate = route.useNavigate()
  const sites = useInfiniteQuery(listOptions(slug))
  const setCreate = (create: true | undefined) => void navigate({ search: (search) => ({ ...search, create }) })

  const button = (
    <Button look="primary" onClick={() => setCreate(true)} reason={whyNot('site.write')}>
      Create site
    </Button>
  )
  return (
    <Page
      title="Sites"
      context={name}
      description="A site has its own keys, hostnames and challenge policy: one for each form or shop that you protect."
      actions={button}
    >
      <DataTable
        label="Sites"
        list={sites}
        columns={columns}
        rowKey={({ id }) => id}
        empty={
          <EmptyState
            title="No site yet"
            snippet={
              <Snippet
                name="The same from the terminal"
                text={`npm run tollgate -- site create --tenant ${slug} --name "My site" --hostname localhost`}
              />
            }
            action={button}
          >
            A site gives you a site key for your pages and a secret key for your backend. The first verification is a
            few lines away.
          </EmptyState>
        }
      />
      <Suspense>
        <CreateSite open={create === true} onClose={() => setCreate(undefined)} />
      </Suspense>
    </Page>
  )
}

function summary(hostnames: string[]): string {
  const [first = 'None', ...more] = hostnames
  return more.length === 0 ? first : `${first} and ${counted(more.length, 'more', 'more')}`
}
