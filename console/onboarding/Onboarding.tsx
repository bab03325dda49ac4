import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Suspense, useEffect, useRef, useState } from 'react'
import { SDKS } from '../../server/contract/languages.ts'
import { useIsLoadingPackages } from '../frame/deployment.ts'
import { signOut, useMe } from '../session/me.ts'
import { AllowLocalhost } from '../sites/AllowLocalhost.tsx'
import { rememberedBackend } from '../sites/backends.ts'
import { RevealKeys } from '../sites/RevealKeys.tsx'
import { trpc } from '../trpc.ts'
import { Button, PageLink } from '../ui/form/Button.tsx'
import { lazyPart } from '../ui/overlay/lazyPart.ts'
import { Page, Skeleton } from '../ui/page/Page.tsx'
import { KeepFocus } from '../ui/table/focus.tsx'
import { counted } from '../ui/text/format.ts'
import { Link, OuterLink } from '../ui/text/Link.tsx'
import { Code } from '../ui/text/Snippet.tsx'
import { CreateSiteForm, CreateTenantForm } from './CreateForms.tsx'
import { FirstCalls } from './FirstCalls.tsx'
import { Invitations, UnfinishedTenants } from './Notices.tsx'
import { Step, type StepState } from './Step.tsx'
import { FORM_STEP, hasTried, rememberTrial, STEPS } from './steps.ts'

const SiteSnippets = lazyPart(async () => (await import('../sites/LanguageTabs.tsx')).SiteSnippets)
const Playground = lazyPart(async () => (await import('../sites/Playground.tsx')).Playground)

const route = getRouteApi('/account-layout/welcome')

/** How often to check for the first verification. */
const POLL_MS = 2000

/** Four steps to the first verification. Progress is in the URL, so that a reload loses nothing. */
export function Onboarding() {
  const { tenant, site: siteInUrl, tried = tenant !== undefined && hasTried(tenant) } = route.useSearch()
  const navigate = route.useNavigate()
  const { tenants } = useMe()
  // in component state only: the response is not cached
  const [created, setCreated] = useState<{ sitekey: string; secret: string } | null>(null)
  // what this visit created, after which a step is added to what is shown already
  const [isNewTenant, setIsNewTenant] = useState(false)
  const [isNewSite, setIsNewSite] = useState(false)
  // a tenant that has a site continues with it
  const sites = useQuery(
    trpc.sites.list.queryOptions(
      { tenant: tenant ?? '', limit: 1 },
      { enabled: tenant !== undefined && siteInUrl === undefined },
    ),
  )
  const siteId = siteInUrl ?? sites.data?.rows[0]?.id
  const input = { tenant: tenant ?? '', site: siteId ?? '' }
  const hasSite = tenant !== undefined && siteId !== undefined
  const site = useQuery(trpc.sites.get.queryOptions(input, { enabled: hasSite }))
  // without what is tried in this page, so it needs the site's own secret
  const integration = useQuery(
    trpc.sites.integration.queryOptions(input, { enabled: hasSite, refetchInterval: POLL_MS }),
  )
  const isLoadingPackages = useIsLoadingPackages()
  const isLoading =
    (tenant !== undefined && siteId === undefined && sites.isPending) ||
    (hasSite && (site.isPending || integration.isPending || isLoadingPackages))
  const redeemed = integration.data?.decisions.count ?? 0
  const [language, setLanguage] = useState(rememberedBackend)
  const steps = useRef<HTMLOListElement>(null)
  const currentHeading = () => steps.current?.querySelector<HTMLElement>('[aria-current=step] h2') ?? null
  const hasAdvanced = useRef(false)
  useEffect(() => {
    // the next step may have to load, and the button that had the focus is gone
    const heading = hasAdvanced.current && tenant !== undefined ? currentHeading() : null
    if (!heading) return
    hasAdvanced.current = false
    if (document.activeElement === document.body) heading.focus()
  })
  useEffect(() => {
    // the steps that show them are added to the others, which would be hidden meanwhile
    Playground.preload()
    SiteSnippets.preload()
  }, [])
  useEffect(() => {
    // the router looked for the step of the hash before it was shown
    if (!isLoading && location.hash === `#${FORM_STEP}`) document.getElementById(FORM_STEP)?.scrollIntoView()
  }, [isLoading])
  const state = (done: boolean, open: boolean): StepState => (done ? 'done' : open ? 'current' : 'later')

  return (
    <Page
      title="Set up Tollgate"
      description="Four steps, about five minutes."
      actions={
        // without a tenant there is no other way to leave
        tenants.length === 0 ? <Button onClick={() => void signOut()}>Sign out</Button> : undefined
      }
    >
      {tenant === undefined && (
        <>
          <Invitations />
          <UnfinishedTenants />
        </>
      )}
      {isLoading && !isNewTenant && !isNewSite ? (
        // the steps are shown together, so that none moves another
        <Skeleton width="long" />
      ) : (
        <Suspense fallback={<Skeleton width="long" />}>
          <ol ref={steps} className="grid grid-cols-1 gap-3">
            <Step
              number={1}
              title={tenant === undefined && tenants.length > 0 ? 'Create another tenant' : STEPS.tenant}
              state={state(tenant !== undefined, true)}
              done={
                <>
                  URL: <Code>{`/o/${tenant ?? ''}`}</Code>
                </>
              }
            >
              <CreateTenantForm
                onCreated={(slug) => {
                  hasAdvanced.current = true
                  setIsNewTenant(true)
                  void navigate({ search: { tenant: slug }, replace: true })
                }}
              />
            </Step>
            <Step
              number={2}
              title={STEPS.site}
              state={state(siteId !== undefined, sites.isFetched)}
              done={
                site.data && (
                  <>
                    {site.data.name} on {site.data.hostnames.join(', ')}, site key <Code>{site.data.sitekey}</Code>
                  </>
                )
              }
            >
              <CreateSiteForm
                tenant={tenant ?? ''}
                onCreated={(created) => {
                  setCreated(created)
                  setIsNewSite(true)
                  void navigate({ search: { tenant, site: created.id }, replace: true })
                }}
              />
            </Step>
            <Step
              number={3}
              title={STEPS.trial}
              state={state(tried, hasSite)}
              done="One verification in this page. Try a fault to see what your backend gets."
              stays
            >
              {tenant !== undefined && siteId !== undefined && (
                // who sets up a tenant owns it
                <Playground
                  site={{ tenant, site: siteId }}
                  onPassed={() => {
                    rememberTrial(tenant)
                    void navigate({ search: { tenant, site: siteId, tried: true }, replace: true, resetScroll: false })
                  }}
                  next={<OuterLink href={`#${FORM_STEP}`}>Now in your form</OuterLink>}
                />
              )}
            </Step>
            <Step
              number={4}
              id={FORM_STEP}
              title={STEPS.form}
              state={state(redeemed > 0, hasSite)}
              done={`Your backend has redeemed ${counted(redeemed, 'token')}.`}
            >
              {site.data && (
                <div className="grid grid-cols-1 gap-4">
                  {language !== 'wordpress' && (
                    <p className="max-w-136 text-13 text-pretty text-ink-2">
                      Your backend opens an intent before it renders the form, the component obtains a token for it, and
                      your backend redeems the token when the form is submitted. <Code>TOLLGATE_SECRET</Code> is the
                      secret key from step 2, in your backend’s environment.
                    </p>
                  )}
                  <KeepFocus>
                    {integration.data?.intents.lastAt === null &&
                      language in SDKS &&
                      !site.data.hostnames.includes('localhost') && <AllowLocalhost site={input} />}
                  </KeepFocus>
                  {!isNewSite && (
                    <p className="text-13 text-ink-2">
                      Lost the secret key? Create another under{' '}
                      <Link to="/o/$tenant/sites/$site/keys" params={input}>
                        Keys
                      </Link>
                      .
                    </p>
                  )}
                  <SiteSnippets site={site.data} language={language} onLanguage={setLanguage} hasEnv />
                  {integration.data && <FirstCalls integration={integration.data} />}
                </div>
              )}
            </Step>
          </ol>
        </Suspense>
      )}
      {tenant !== undefined && (
        <div>
          <PageLink to="/o/$tenant" params={{ tenant }} look={redeemed > 0 ? 'primary' : 'secondary'}>
            {redeemed > 0 ? 'Open the console' : 'Skip for now'}
          </PageLink>
        </div>
      )}
      <RevealKeys site={created} action="Continue" finalFocus={currentHeading} onDone={() => setCreated(null)} />
    </Page>
  )
}
