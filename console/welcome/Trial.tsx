import { ExternalLink } from 'lucide-react'
import { ButtonLink } from '../ui/form/Button.tsx'
import { Skeleton } from '../ui/page/Skeleton.tsx'
import type { Overview, OverviewQuery } from './overview.ts'

/** The demo shop, if there is one. The panel reserves its height, so that nothing below it moves. */
export function Trial({
  overview: { data, isPending, isError },
  docsUrl,
}: {
  overview: OverviewQuery
  docsUrl: string
}) {
  const shopUrl = data?.shopUrl ?? null
  const without = data !== undefined && shopUrl === null
  return (
    <section aria-labelledby="try" className="rounded-panel border border-line bg-surface p-4">
      <h2 id="try" className="text-20 font-semibold">
        Try it
      </h2>
      <p className="mt-1 max-w-160 text-ink-2">
        {without
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
          ) : without ? (
            <ButtonLink href={docsUrl}>How to start one</ButtonLink>
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
      <strong className="text-20 font-semibold text-ink">{NUMBER.format(decisionsToday)}</strong>{' '}
      {decisionsToday === 1 ? 'verification' : 'verifications'} completed today (UTC), {NUMBER.format(sites)}{' '}
      {sites === 1 ? 'site' : 'sites'}, {NUMBER.format(tenants)} {tenants === 1 ? 'tenant' : 'tenants'}
    </>
  )
}

const NUMBER = new Intl.NumberFormat('en')
