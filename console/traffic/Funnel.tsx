import { Panel, Skeleton } from '../ui/page/Page.tsx'
import { percent, whole } from '../ui/text/format.ts'
import type { UsageSeries } from './useSeries.ts'
import { shareOf } from './words.ts'

type Totals = UsageSeries['totals']

const STEPS = [
  { name: 'Started', of: (t) => t.intents, about: 'intent opened by your backend' },
  {
    name: 'Challenge started',
    of: (t) => t.challenged + t.exempted,
    about: 'in the visitor’s browser, or skipped by a grant',
  },
  { name: 'Challenge solved', of: (t) => t.solved + t.exempted, about: 'token added to the form' },
  { name: 'Completed', of: (t) => t.redeemed, about: 'token redeemed by your backend' },
] as const satisfies readonly { name: string; of: (totals: Totals) => number; about: string }[]

/** How many verifications reached each step. */
export function Funnel({ totals }: { totals: Totals | undefined }) {
  return (
    <Panel title="Funnel" description={totals && told(totals)}>
      <ol className="grid gap-3">
        {STEPS.map(({ name, of, about }) => {
          const share = totals && shareOf(of(totals), totals.intents)
          return (
            <li key={name} className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 gap-y-1 text-13">
              <span className="min-w-0">
                <span className="font-medium">{name}</span>
                <span className="text-ink-2 max-sm:sr-only"> · {about}</span>
              </span>
              <span className="text-right tabular-nums">
                {totals ? (
                  <>
                    {whole(of(totals))}
                    <span className="inline-block w-16 text-ink-2">{share == null ? '–' : percent(share)}</span>
                  </>
                ) : (
                  <Skeleton width="short" />
                )}
              </span>
              <span aria-hidden className="col-span-2 h-2 overflow-hidden rounded-full bg-sunken">
                <span
                  className="block h-full rounded-full bg-pass transition-[width]"
                  style={{ width: `${(share ?? 0) * 100}%` }}
                />
              </span>
            </li>
          )
        })}
      </ol>
    </Panel>
  )
}

/** The step with the biggest drop, in a sentence. */
function told(totals: Totals): string {
  if (totals.intents === 0) return 'No verifications in this period.'
  const losses = STEPS.slice(1).map((step, i) => ({
    lost: Math.max(0, (STEPS[i]?.of(totals) ?? 0) - step.of(totals)),
    before: STEPS[i]?.name ?? '',
    step: step.name,
  }))
  const most = losses.reduce((a, b) => (b.lost > a.lost ? b : a))
  if (most.lost === 0) return 'All verifications were completed.'
  return `Biggest drop: ${most.before} → ${most.step}, ${whole(most.lost)} of ${whole(totals.intents)}.`
}
