import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useTenant } from '../frame/useTenant.ts'
import { Button } from '../ui/Button.tsx'
import { CopyText } from '../ui/Copy.tsx'
import { type Column, DataTable } from '../ui/DataTable.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { whole } from '../ui/number.ts'
import { Page } from '../ui/Page.tsx'
import { Snippet } from '../ui/Snippet.tsx'
import { Time } from '../ui/Time.tsx'
import { SiteLink } from './SiteLink.tsx'
import { SiteState } from './SiteState.tsx'
import { type SiteRow, useSites } from './useSites.ts'

const CreateSite = lazy(async () => ({ default: (await import('./CreateSite.tsx')).CreateSite }))

const route = getRouteApi('/o/$tenant/sites')

const columns: readonly Column<SiteRow>[] = [
  { header: 'Site', width: 'wide', cell: (site) => <SiteLink {...site} /> },
  { header: 'State', cell: ({ paused }) => <SiteState paused={paused} /> },
  { header: 'Hostnames', align: 'right', cell: ({ hostnames }) => whole(hostnames.length) },
  { header: 'Site key', cell: ({ sitekey }) => <CopyText text={sitekey} name="site key" /> },
  { header: 'Live secrets', align: 'right', cell: ({ liveSecrets }) => whole(liveSecrets) },
  { header: 'Made', align: 'right', cell: ({ createdAt }) => <Time at={createdAt} as="relative" /> },
]

/** The tenant's sites, and making one. */
export function Sites() {
  const { slug, name, whyNot } = useTenant()
  const { create } = route.useSearch()
  const navigate = route.useNavigate()
  const sites = useSites()
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
