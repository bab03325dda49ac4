import { useQuery } from '@tanstack/react-query'
import { ExternalLink } from 'lucide-react'
import type { ReactNode } from 'react'
import { DocsLink } from '../frame/DocsLink.tsx'
import { useInstallCommands } from '../frame/deployment.ts'
import { trpc } from '../trpc.ts'
import { ButtonLink, PageLink } from '../ui/form/Button.tsx'
import { Skeleton } from '../ui/page/Page.tsx'
import { counted, whole } from '../ui/text/format.ts'
import { Code, Snippet } from '../ui/text/Snippet.tsx'
import type { Overview, OverviewQuery } from './api.ts'
import { Status } from './Status.tsx'
import { createSite, openIntent, placeComponent, redeemToken } from './snippets.ts'

const REFRESH_MS = 10_000

const MODES = { evaluation: 'Evaluation with demo data', production: 'Production' } as const

/** The start page: status, demo shop, integration and reference. */
export function Welcome() {
  // No retry: the next refresh is one, and a hidden retry would only delay the message.
  const overview = useQuery(trpc.system.overview.queryOptions(undefined, { refetchInterval: REFRESH_MS, retry: false }))

  return (
    <div className="grid gap-12">
      <title>Tollgate</title>
      <div>
        <p className="flex h-6 items-center text-12 font-medium">
          {overview.data ? (
            <span
              className={`rounded-full px-2.5 py-1 ${overview.data.mode === 'evaluation' ? 'bg-challenge-bg text-challenge' : 'bg-sunken text-ink-2'}`}
            >
              {MODES[overview.data.mode]}
            </span>
          ) : (
            overview.isPending && <Skeleton width="long" />
          )}
        </p>
        <h1 className="mt-3 text-24 font-semibold tracking-tight md:text-30">Tollgate</h1>
        <p className="mt-2 max-w-160 text-16 text-ink-2">
          Human verification for your forms: your backend opens an intent, the visitor’s browser obtains a token for it,
          and your backend redeems the token exactly once.
        </p>
        <div className="mt-4 flex flex-wrap gap-3">
          {overview.data?.signUp !== false && (
            <PageLink to="/sign-up" look="primary">
              Create an account
            </PageLink>
          )}
          <PageLink to="/sign-in">Sign in</PageLink>
        </div>
      </div>
      <DemoShop overview={overview} />
      <Integration origin={location.origin} />
      <Status overview={overview} />
      <Reference docsUrl={overview.data?.docsUrl ?? null} />
    </div>
  )
}

/** The demo shop, if there is one. The panel reserves its height, so that nothing below it moves. */
function DemoShop({ overview: { data, isPending, isError } }: { overview: OverviewQuery }) {
  const shopUrl = data?.shopUrl ?? null
  const hasNone = data !== undefined && shopUrl === null
  return (
    <section aria-labelledby="try" className="rounded-panel border border-line bg-surface p-4">
      <h2 id="try" className="text-20 font-semibold">
        Try it
      </h2>
      <p className="mt-1 max-w-160 text-ink-2">
        {hasNone
          ? 'This service runs without a demo shop. An evaluation on your own machine includes one, with demo data.'
          : 'A small demo shop that uses Tollgate. Place an order there: the verification is counted here within 10 s.'}
      </p>
      <div className="mt-4 flex flex-wrap items-center gap-x-6 gap-y-2">
        <div className="flex h-9 w-full items-center sm:w-auto">
          {shopUrl !== null ? (
            <ButtonLink look="primary" href={shopUrl} target="_blank" rel="noopener">
              Open the demo shop
              <ExternalLink size={14} aria-hidden />
              <span className="sr-only">(in a new tab)</span>
            </ButtonLink>
          ) : hasNone ? (
            data.docsUrl !== null && <ButtonLink href={data.docsUrl}>How to start one</ButtonLink>
          ) : isPending ? (
            <Skeleton width="long" />
          ) : (
            <span className="text-13 text-ink-2">The location of the demo shop is not known yet.</span>
          )}
        </div>
        <p className="min-h-12 text-13 sm:min-h-7 text-ink-2">
          {isPending ? <Skeleton width="long" /> : !isError && data?.counts && <Counts of={data.counts} />}
        </p>
      </div>
    </section>
  )
}

function Counts({ of: { decisionsToday, sites, tenants } }: { of: NonNullable<Overview['counts']> }) {
  return (
    <>
      <strong className="text-20 font-semibold text-ink">{whole(decisionsToday)}</strong>{' '}
      {decisionsToday === 1 ? 'verification' : 'verifications'} completed today (UTC), {counted(sites, 'site')},{' '}
      {counted(tenants, 'tenant')}
    </>
  )
}

/** Keys, SDK and the three integration steps, each with a snippet. */
function Integration({ origin }: { origin: string }) {
  const { node = '…', python = '…' } = useInstallCommands()
  return (
    <section aria-labelledby="integrate">
      <h2 id="integrate" className="text-20 font-semibold">
        Integrate
      </h2>
      <p className="mt-1 max-w-160 text-ink-2">
        Three steps for one verification.{' '}
        <DocsLink page="" before="For every field, error and fix see the " after=".">
          docs
        </DocsLink>
      </p>

      <Step title="Get keys" snippet={<Snippet name="Terminal, where Tollgate runs" text={createSite} />}>
        Create a site in the console, or use the command. It prints the site key for your pages and the secret key for
        your backend, which is shown only once: <Code>$TOLLGATE_SECRET</Code> below. The tenant <Code>demo</Code> exists
        in the evaluation only; otherwise use your own.
      </Step>
      <Step
        title="Install the SDK"
        snippet={<Snippet name="Terminal, in your backend" text={`# Node.js\n${node}\n\n# Python\n${python}`} />}
      >
        Served by this deployment, for Node.js and Python.{' '}
        <DocsLink page="sdk-node" before="See the docs for " after=" and ">
          Node.js
        </DocsLink>
        <DocsLink page="sdk-python" after=". ">
          Python
        </DocsLink>
        In other languages call the API directly, as below.
      </Step>
      <ol>
        <li>
          <Step
            number={1}
            title="Open an intent"
            snippet={<Snippet name="Your backend: POST /intents" text={openIntent(origin)} />}
          >
            Before you render the form. The intent expires after 300 s and is valid for this action and hostname only. A
            retry with the same nonce returns the same intent. Store nonce and key before the call.
          </Step>
        </li>
        <li>
          <Step
            number={2}
            title="Place the component"
            snippet={<Snippet name="Your page" text={placeComponent(origin)} />}
          >
            In the form, with the site key and the intent’s <Code>intent_id</Code>. The visitor’s browser solves the
            challenge and adds a token to the form as <Code>svc-captcha-response</Code>.
          </Step>
        </li>
        <li>
          <Step
            number={3}
            title="Redeem the token"
            snippet={<Snippet name="Your backend: POST /siteverify" text={redeemToken(origin)} />}
          >
            When the form is submitted, before you act on it. An intent is redeemed and charged at most once. The same
            call within 600 s returns the same response. The <Code>idempotency_key</Code> must be random, not the public
            intent id.
          </Step>
        </li>
      </ol>
    </section>
  )
}

function Step({
  number,
  title,
  snippet,
  children,
}: {
  number?: number
  title: string
  snippet: ReactNode
  children: ReactNode
}) {
  return (
    <div className="mt-6 grid items-start gap-x-8 gap-y-4 border-t border-line pt-6 lg:grid-cols-[2fr_3fr]">
      <div>
        <h3 className="flex items-center gap-2 text-16 font-semibold">
          {number !== undefined && (
            <span
              aria-hidden
              className="grid size-6 place-items-center rounded-full border border-line-strong text-12 font-semibold text-ink-2"
            >
              {number}
            </span>
          )}
          {title}
        </h3>
        <p className="mt-2 max-w-112 text-ink-2">{children}</p>
      </div>
      {snippet}
    </div>
  )
}

/** Links to docs, OpenAPI and the health check. */
function Reference({ docsUrl }: { docsUrl: string | null }) {
  const docs = [
    { href: docsUrl ?? '', name: 'Docs', about: 'Guides, SDKs and the API reference' },
    {
      href: '/openapi.json',
      name: 'OpenAPI',
      about: 'The API description for generators and tools',
    },
  ]
  const links = [
    ...(docsUrl === null ? [] : docs),
    { href: '/healthz', name: 'Health', about: 'Health check for load balancers' },
  ]
  return (
    <nav aria-labelledby="reference">
      <h2 id="reference" className="text-20 font-semibold">
        Reference
      </h2>
      <ul
        className={`mt-4 grid gap-px overflow-hidden rounded-panel border border-line bg-line ${docsUrl === null ? '' : 'md:grid-cols-3'}`}
      >
        {links.map(({ href, name, about }) => (
          <li key={href} className="bg-surface">
            <a href={href} className="group block p-4 -outline-offset-2 transition-colors hover:bg-sunken">
              <span className="font-semibold text-brand-ink underline-offset-4 group-hover:underline">{name}</span>
              <span className="mt-0.5 block text-13 text-ink-2">{about}</span>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
