import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useTenant } from '../frame/useTenant.ts'
import { Button } from '../ui/form/Button.tsx'
import { Page } from '../ui/page/Page.tsx'
import { EmptyState } from '../ui/table/EmptyState.tsx'
import { Snippet } from '../ui/text/Snippet.tsx'
import { SiteTable } from './SiteTable.tsx'

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
