import { useQuery } from '@tanstack/react-query'
import { type ReactNode, Suspense, useId } from 'react'
import { trpc } from '../trpc.ts'
import { PageLink } from '../ui/form/Button.tsx'
import { lazyPart } from '../ui/overlay/lazyPart.ts'
import { Skeleton } from '../ui/page/Page.tsx'
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
      {data && data.story.length > 0 && (
        <Cards
          id="story"
          title="The demo’s last thirty days"
          about={
            <>
              Each page opens after you sign in as <Code>owner@demo.example</Code>. <Code>npm start</Code> printed where
              the password is.
            </>
          }
          cards={data.story.map(({ title, about, path }) => ({ href: path, name: title, about }))}
        />
      )}
      <Status overview={overview} />
      <Cards title="Reference" cards={referenceCards(data?.docsUrl ?? null)} />
    </div>
  )
}

/** Docs, OpenAPI and the health check. */
const referenceCards = (docsUrl: string | null): Card[] => [
  ...(docsUrl === null
    ? []
    : [
        { href: `${docsUrl}/quick-start`, name: 'Quick start', about: 'A protected form in five minutes' },
        { href: docsUrl, name: 'Docs', about: 'Guides, SDKs and the API reference' },
        { href: '/openapi.json', name: 'OpenAPI', about: 'The API description for generators and tools' },
      ]),
  { href: '/healthz', name: 'Health', about: 'Health check for load balancers' },
]

type Card = { href: string; name: string; about: string }

/** Links with what they lead to. */
function Cards({
  id,
  title,
  about,
  cards,
}: {
  /** For links to it. */
  id?: string
  title: string
  about?: ReactNode
  cards: readonly Card[]
}) {
  const heading = useId()
  return (
    <nav id={id} aria-labelledby={heading}>
      <h2 id={heading} className="text-20 font-semibold">
        {title}
      </h2>
      {about !== undefined && <p className="mt-1 text-13 text-ink-2">{about}</p>}
      <ul
        className={`mt-4 grid gap-px overflow-hidden rounded-panel border border-line bg-line ${cards.length === 1 ? '' : 'sm:grid-cols-2 lg:grid-cols-4'}`}
      >
        {cards.map(({ href, name, about }) => (
          <li key={href} className="bg-surface">
            <a href={href} className="group block h-full p-4 -outline-offset-2 transition-colors hover:bg-sunken">
              <span className="font-semibold text-brand-ink underline-offset-4 group-hover:underline">{name}</span>
              <span className="mt-0.5 block text-13 text-ink-2">{about}</span>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
