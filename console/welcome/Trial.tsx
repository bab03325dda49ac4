import { ExternalLink } from 'lucide-react'
import { ButtonLink } from '../ui/Button.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import type { Overview, OverviewQuery } from './overview.ts'

/** The demo shop, where there is one. The panel keeps its place either way, so that nothing below it moves. */
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
          ? 'No demo shop runs beside this service. An evaluation on your own machine brings one along, with data to look at.'
          : 'The demo shop is a small merchant on an origin of its own. Place an order there: its decision is counted here within 10 s.'}
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
            <ButtonLink href={docsUrl}>Read how to start one</ButtonLink>
          ) : isPending ? (
            <Skeleton width="long" />
          ) : (
            <span className="text-13 text-ink-2">The service has not said yet where it is.</span>
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
      {decisionsToday === 1 ? 'decision' : 'decisions'} today (UTC), {NUMBER.format(sites)}{' '}
      {sites === 1 ? 'site' : 'sites'}, {NUMBER.format(tenants)} {tenants === 1 ? 'tenant' : 'tenants'}
    </>
  )
}

const NUMBER = new Intl.NumberFormat('en')
