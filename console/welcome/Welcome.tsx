import { useQuery } from '@tanstack/react-query'
import { Suspense, useId } from 'react'
import { trpc } from '../trpc.ts'
import { PageLink } from '../ui/form/Button.tsx'
import { lazyPart } from '../ui/overlay/lazyPart.ts'
import { Skeleton } from '../ui/page/Page.tsx'
import { OuterLink } from '../ui/text/Link.tsx'
import { Code } from '../ui/text/Snippet.tsx'
import { Status } from './Status.tsx'

const LiveDemo = lazyPart(async () => (await import('./LiveDemo.tsx')).LiveDemo)

const REFRESH_MS = 10_000

const MODES = { evaluation: 'Evaluation with demo data', production: 'Production' } as const

/** The start page: what it does, running, and where to go next. */
export function Welcome() {
  // No retry: the next refresh is one, and a hidden retry would only delay the message.
  const overview = useQuery(trpc.system.overview.queryOptions(undefined, { refetchInterval: REFRESH_MS, retry: false }))
  const { data } = overview

  return (
    <div className="grid gap-12">
      <title>Tollgate</title>
      <div className="grid items-start gap-x-12 gap-y-8 lg:grid-cols-2">
        <div>
          <p className="flex h-6 items-center text-12 font-medium">
            {data ? (
              <span
                className={`rounded-full px-2.5 py-1 ${data.mode === 'evaluation' ? 'bg-challenge-bg text-challenge' : 'bg-sunken text-ink-2'}`}
              >
                {MODES[data.mode]}
              </span>
            ) : (
              overview.isPending && <Skeleton width="long" />
            )}
          </p>
          <h1 className="mt-3 text-24 font-semibold tracking-tight md:text-30">Tollgate</h1>
          <p className="mt-2 max-w-160 text-16 text-ink-2">
            Tollgate protects the forms of your website against bots. Visitors solve no puzzle: their browser computes
            something for a second or two, and your server accepts the form only if Tollgate confirms it.
          </p>
          {data?.signUp !== false && (
            <div className="mt-4 flex">
              <PageLink to="/sign-up" look="primary">
                Create an account
              </PageLink>
            </div>
          )}
        </div>
        {data?.tryPage && (
          // its height is kept while it loads, so that nothing below it moves
          <div className="min-h-63 sm:min-h-54">
            <Suspense>
              <LiveDemo shopUrl={data.shopUrl} />
            </Suspense>
          </div>
        )}
      </div>
      {data && data.story.length > 0 && <Story chapters={data.story} />}
      <div className="flex flex-wrap items-end justify-between gap-x-8 gap-y-4 border-t border-line pt-6">
        <Status overview={overview} />
        <Reference docsUrl={data?.docsUrl ?? null} />
      </div>
    </div>
  )
}

/** Docs, OpenAPI and the health check. */
function Reference({ docsUrl }: { docsUrl: string | null }) {
  return (
    <nav aria-label="Reference" className="flex flex-wrap gap-x-6 gap-y-2 text-13">
      {docsUrl !== null && (
        <>
          <OuterLink href={`${docsUrl}/quick-start`}>Quick start</OuterLink>
          <OuterLink href={docsUrl}>Docs</OuterLink>
          <OuterLink href="/openapi.json">OpenAPI</OuterLink>
        </>
      )}
      <OuterLink href="/healthz">Health check</OuterLink>
    </nav>
  )
}

/** What happened in the demo data, with links to the pages that show it. */
function Story({ chapters }: { chapters: readonly { title: string; about: string; path: string }[] }) {
  const heading = useId()
  return (
    <nav id="story" aria-labelledby={heading}>
      <h2 id={heading} className="text-20 font-semibold">
        The demo’s last thirty days
      </h2>
      <p className="mt-1 text-13 text-ink-2">
        Each page opens after you sign in as <Code>owner@demo.example</Code>. <Code>npm start</Code> printed where the
        password is.
      </p>
      <ul className="mt-4 grid gap-px overflow-hidden rounded-panel border border-line bg-line sm:grid-cols-2 lg:grid-cols-4">
        {chapters.map(({ title, about, path }) => (
          <li key={path} className="bg-surface">
            <a href={path} className="group block h-full p-4 -outline-offset-2 transition-colors hover:bg-sunken">
              <span className="font-semibold text-brand-ink underline-offset-4 group-hover:underline">{title}</span>
              <span className="mt-0.5 block text-13 text-ink-2">{about}</span>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
