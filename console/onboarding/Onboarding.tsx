import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Check } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { DocsLink } from '../frame/DocsLink.tsx'
import { signOut, useMe } from '../session/me.ts'
import { trpc } from '../trpc.ts'
import { Button, PageLink } from '../ui/form/Button.tsx'
import { Page } from '../ui/page/Page.tsx'
import { whole } from '../ui/text/format.ts'
import { Reveal } from '../ui/text/Reveal.tsx'
import { Code, Snippet } from '../ui/text/Snippet.tsx'
import { openIntent, placeWidget, redeemToken } from '../welcome/snippets.ts'
import { CreateSiteForm, CreateTenantForm } from './CreateForms.tsx'

const route = getRouteApi('/account-layout/welcome')

/** How often to check for the first verification. */
const POLL_MS = 2000

/** Four steps to the first verification. Progress is in the URL, so that a reload loses nothing. */
export function Onboarding() {
  const { tenant, site: siteId } = route.useSearch()
  const navigate = route.useNavigate()
  const { tenants } = useMe()
  const [secret, setSecret] = useState<string | null>(null)
  const site = useQuery(
    trpc.sites.get.queryOptions({ tenant: tenant ?? '', site: siteId ?? '' }, { enabled: Boolean(tenant && siteId) }),
  )
  const meter = useQuery(
    trpc.usage.meter.queryOptions(
      { tenant: tenant ?? '' },
      { enabled: Boolean(tenant && siteId), refetchInterval: ({ state }) => (state.data?.used ? false : POLL_MS) },
    ),
  )
  const used = meter.data?.used ?? 0
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
      <ol className="grid gap-3">
        <Step
          number={1}
          title="Name your tenant"
          state={state(tenant !== undefined, true)}
          done={
            <>
              URL: <Code>{`/o/${tenant ?? ''}`}</Code>
            </>
          }
        >
          <CreateTenantForm onCreated={(slug) => void navigate({ search: { tenant: slug }, replace: true })} />
        </Step>
        <Step
          number={2}
          title="Create your first site"
          state={state(siteId !== undefined, tenant !== undefined)}
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
            onCreated={({ id, secret }) => {
              setSecret(secret)
              void navigate({ search: { tenant, site: id }, replace: true })
            }}
          />
        </Step>
        <Step
          number={3}
          title="Add it to your form"
          state={state(used > 0, siteId !== undefined)}
          done="Your backend opens intents and redeems tokens."
        >
          {site.data && <Snippets sitekey={site.data.sitekey} hostname={site.data.hostnames[0] ?? 'localhost'} />}
        </Step>
        <Step
          number={4}
          title="Complete the first verification"
          state={state(used > 0, siteId !== undefined)}
          done={`${whole(used)} completed so far.`}
        >
          <output className="flex items-center gap-2.5 text-13 text-ink-2">
            <span aria-hidden className="size-2 rounded-full bg-challenge motion-safe:animate-pulse" />
            Waiting for your first verification… Submit your form once.
          </output>
        </Step>
      </ol>
      {tenant !== undefined && (
        <div>
          <PageLink to="/o/$tenant" params={{ tenant }} look={used > 0 ? 'primary' : 'secondary'}>
            {used > 0 ? 'Open the console' : 'Skip for now'}
          </PageLink>
        </div>
      )}
      <Reveal title="Your secret key" name="Secret key" secret={secret} onDone={() => setSecret(null)} />
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
  title,
  state,
  done,
  children,
}: {
  number: number
  title: string
  state: StepState
  /** Shown once the step is done. */
  done: ReactNode
  children: ReactNode
}) {
  return (
    <li
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
          <h2 className={`text-14/6 font-semibold ${state === 'later' ? 'text-ink-2' : ''}`}>
            {title}
            <span className="sr-only">: {WORDS[state]}</span>
          </h2>
          {state === 'done' && <p className="mt-0.5 text-13 text-ink-2 wrap-anywhere">{done}</p>}
          {state === 'current' && <div className="mt-3">{children}</div>}
        </div>
      </div>
    </li>
  )
}

/** The third step: code snippets with the site's key. */
function Snippets({ sitekey, hostname }: { sitekey: string; hostname: string }) {
  const { origin } = location
  return (
    <div className="grid gap-3">
      <p className="max-w-160 text-13 text-ink-2">
        Your backend opens an intent before it renders the form, the widget obtains a token for it, and your backend
        redeems the token when the form is submitted. <Code>TOLLGATE_SECRET</Code> is the secret key from the previous
        step.{' '}
        <DocsLink page="integration" before="For Node.js and Python see " after=".">
          the guide
        </DocsLink>
      </p>
      <Snippet name="1. Your backend, before the form is shown" text={openIntent(origin, hostname)} />
      <Snippet name="2. Your page" text={placeWidget(origin, sitekey)} />
      <Snippet name="3. Your backend, when the form is submitted" text={redeemToken(origin, hostname)} />
    </div>
  )
}
