import { useQuery } from '@tanstack/react-query'
import { trpc } from '../trpc.ts'
import { Skeleton } from '../ui/page/Skeleton.tsx'
import { Integration } from './Integration.tsx'
import { Reference } from './Reference.tsx'
import { Status } from './Status.tsx'
import { Trial } from './Trial.tsx'

const REFRESH_MS = 10_000

const MODES = { evaluation: 'Evaluation with demo data', production: 'Production' } as const

/** The start page: status, demo shop, integration and reference. */
export function Welcome() {
  // No retry: the next refresh is one, and a hidden retry would only delay the message.
  const overview = useQuery(trpc.system.overview.queryOptions(undefined, { refetchInterval: REFRESH_MS, retry: false }))
  const docsUrl = overview.data?.docsUrl ?? '/docs'

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
      </div>
      <Status overview={overview} />
      <Trial overview={overview} docsUrl={docsUrl} />
      <Integration origin={location.origin} docsUrl={docsUrl} />
      <Reference docsUrl={docsUrl} />
    </div>
  )
}
