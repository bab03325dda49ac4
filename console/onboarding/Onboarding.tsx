import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { inferOutput } from '@trpc/tanstack-react-query'
import { Check } from 'lucide-react'
import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { SDKS } from '../../server/contract/languages.ts'
import { signOut, useMe } from '../session/me.ts'
import { AllowLocalhost } from '../sites/AllowLocalhost.tsx'
import { rememberedBackend } from '../sites/backends.ts'
import { Refused } from '../sites/CheckIntegration.tsx'
import { RevealKeys } from '../sites/RevealKeys.tsx'
import { trpc } from '../trpc.ts'
import { Button, PageLink } from '../ui/form/Button.tsx'
import { lazyPart } from '../ui/overlay/lazyPart.ts'
import { Page } from '../ui/page/Page.tsx'
import { KeepFocus } from '../ui/table/focus.tsx'
import { counted } from '../ui/text/format.ts'
import { OuterLink } from '../ui/text/Link.tsx'
import { Outcome } from '../ui/text/Pill.tsx'
import { Code } from '../ui/text/Snippet.tsx'
import { CreateSiteForm, CreateTenantForm } from './CreateForms.tsx'
import { Invitations, UnfinishedTenants } from './Notices.tsx'
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
  const redeemed = integration.data?.decisions.count ?? 0
  const [language, setLanguage] = useState(rememberedBackend)
  const steps = useRef<HTMLOListElement>(null)
  const currentHeading = () => steps.current?.querySelector<HTMLElement>('[aria-current=step] h2') ?? null
  const hasAdvanced = useRef(false)
  useEffect(() => {
    // the next step may have to load, and the button that had the focus is gone
    const heading = hasAdvanced.current ? currentHeading() : null
    if (!heading) return
    hasAdvanced.current = false
    if (document.activeElement === document.body) heading.focus()
  })
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
            <Suspense>
              {/* who sets up a tenant owns it */}
              <Playground
                site={{ tenant, site: siteId }}
                onPassed={() => {
                  rememberTrial(tenant)
                  void navigate({ search: { tenant, site: siteId, tried: true }, replace: true, resetScroll: false })
                }}
                next={<OuterLink href={`#${FORM_STEP}`}>Now in your form</OuterLink>}
              />
            </Suspense>
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
                  your backend redeems the token when the form is submitted. <Code>TOLLGATE_SECRET</Code> is the secret
                  key from step 2, in your backend’s environment.
                </p>
              )}
              <KeepFocus>
                {integration.data?.intents.lastAt === null &&
                  language in SDKS &&
                  !site.data.hostnames.includes('localhost') && <AllowLocalhost site={input} />}
              </KeepFocus>
              <Suspense>
                <SiteSnippets site={site.data} language={language} onLanguage={setLanguage} hasEnv />
                {integration.data && <FirstCalls integration={integration.data} />}
              </Suspense>
            </div>
          )}
        </Step>
      </ol>
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

type StepState = 'done' | 'current' | 'later'

const WORDS = { done: 'Done', current: 'Now', later: 'Later' } satisfies Record<StepState, string>

const MARKS = {
  done: 'border-pass bg-pass-bg text-pass',
  current: 'border-brand text-brand-ink',
  later: 'border-line-strong text-ink-2',
} satisfies Record<StepState, string>

/** One step of a checklist: expanded while current, a summary once done. */
function Step({
  number,
  id,
  title,
  state,
  done,
  stays = false,
  children,
}: {
  number: number
  id?: string
  title: string
  state: StepState
  /** Shown once the step is done. */
  done: ReactNode
  /** Whether it stays expanded once done. */
  stays?: boolean
  children: ReactNode
}) {
  return (
    <li
      id={id}
      className="rounded-panel border border-line bg-surface p-4"
      aria-current={state === 'current' ? 'step' : undefined}
    >
      <div className="flex items-start gap-3">
        <span
          aria-hidden
          className={`grid size-6 shrink-0 place-items-center rounded-full border text-12 font-semibold transition-colors ${MARKS[state]}`}
        >
          {state === 'done' ? <Check size={14} /> : number}
        </span>
        <div className="min-w-0 grow">
          <h2 tabIndex={-1} className={`text-14/6 font-semibold outline-none ${state === 'later' ? 'text-ink-2' : ''}`}>
            {title}
            <span className="sr-only">: {WORDS[state]}</span>
          </h2>
          {state === 'done' && <p className="mt-0.5 text-13 text-ink-2 wrap-anywhere">{done}</p>}
          {(state === 'current' || (stays && state === 'done')) && <div className="mt-3">{children}</div>}
        </div>
      </div>
    </li>
  )
}

/** What arrived of the first verification so far, call by call, and what was refused with its fix. */
function FirstCalls({ integration: data }: { integration: inferOutput<typeof trpc.sites.integration> }) {
  const refusedOf = (endpoint: string) => data.refused.find((calls) => calls.endpoint === endpoint)
  const calls = [
    { name: 'Your backend opens an intent', done: data.intents.count > 0, refused: refusedOf('/intents') },
    {
      name: 'The visitor’s browser solves the challenge',
      done: data.solved.count > 0,
      refused: refusedOf('/challenge') ?? refusedOf('/solve'),
    },
    { name: 'Your backend redeems the token', done: data.decisions.count > 0, refused: refusedOf('/siteverify') },
  ]
  return (
    <div>
      <ul className="grid gap-2 text-13">
        {calls.map(({ name, done, refused }) => (
          <li key={name}>
            <Outcome
              is={done ? 'pass' : refused ? 'block' : 'neutral'}
              word={done ? `${name}: done` : refused ? `${name}: refused` : name}
            />
            {!done && refused && (
              <p className="mt-0.5 ml-4 text-ink-2">
                <Refused {...refused} />
              </p>
            )}
          </li>
        ))}
      </ul>
      <output className="mt-3 flex items-center gap-2.5 text-13 text-ink-2">
        <span aria-hidden className="size-2 rounded-full bg-ink-3 motion-safe:animate-pulse" />
        Waiting for your first verification: submit your form once.
      </output>
    </div>
  )
}
