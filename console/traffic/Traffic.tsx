import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTenant } from '../frame/useTenant.ts'
import type { ChartName, TrafficSearch } from '../routes/search.ts'
import { ChartSkeleton } from '../ui/chart/ChartSkeleton.tsx'
import { Figure, Strip } from '../ui/chart/Strip.tsx'
import { PageLink } from '../ui/form/Button.tsx'
import { type PeriodSearch, type Range, useMovingRange } from '../ui/form/period.ts'
import { Notice } from '../ui/page/Notice.tsx'
import { Panel, Skeleton } from '../ui/page/Page.tsx'
import { counted, percent, whole } from '../ui/text/format.ts'
import { Link } from '../ui/text/Link.tsx'
import type { UsageSeries } from './api.ts'
import { Charts } from './Charts.tsx'
import { basisOf, change, changeOfShare, compared, duration, funnel, shareOf } from './words.ts'

/** The traffic of all sites: figures and outcomes. Of one site also the other charts and the funnel. */
export function Traffic({
  series,
  site,
  search,
  onChart,
  onZoom,
}: {
  series: UsageSeries
  site?: string
  search: TrafficSearch
  /** Without it, only the outcomes are shown. */
  onChart?: (chart: ChartName | undefined) => void
  /** Shows only this part of the period. */
  onZoom: (range: Range) => void
}) {
  const { slug } = useTenant()
  const navigate = useNavigate()
  const basis = basisOf(useMovingRange(search), series.comparable)
  return (
    <>
      <NotRedeemingNotice series={series} search={search} {...(site !== undefined && { site })} />
      <Figures
        series={series}
        basis={basis}
        refused={<Refused n={series.totals.refused} site={site} search={search} />}
      />
      <Charts
        series={series}
        shown={search.chart ?? 'outcomes'}
        onShow={onChart && ((chart) => onChart(chart === 'outcomes' ? undefined : chart))}
        onZoom={onZoom}
        onOpen={(list, range) =>
          void navigate({ to: `/o/$tenant/${list}`, params: { tenant: slug }, search: { ...range, site } })
        }
      />
      {site !== undefined && <Funnel totals={series.totals} />}
    </>
  )
}

/** The shape of the traffic, until it is known what is above it. */
export const TrafficSkeleton = () => (
  <div aria-busy className="grid gap-6">
    <Strip busy>
      {FIGURES.map((name) => (
        <Figure key={name} name={name} value={<Skeleton width="short" />} note={<Skeleton width="long" />} />
      ))}
    </Strip>
    <ChartSkeleton />
  </div>
)

/** With fewer solved challenges, the merchant may only be testing. */
const MIN_SOLVED = 3

/** Warns that tokens are never redeemed, which leaves the forms unprotected. */
function NotRedeemingNotice({
  series: { totals, refusals },
  search: { period, from, to },
  site,
}: {
  series: UsageSeries
  search: PeriodSearch
  site?: string
}) {
  const { slug, may } = useTenant()
  if (totals.solved < MIN_SOLVED || totals.redeemed > 0) return null
  const refused = refusals.filter(({ endpoint }) => endpoint === '/siteverify').reduce((sum, { n }) => sum + n, 0)
  if (refused > 0)
    return (
      <Notice
        tone="block"
        title="Your calls of /siteverify are refused"
        action={
          may('refusal.read') && (
            <PageLink
              to="/o/$tenant/refusals"
              params={{ tenant: slug }}
              search={{ period, from, to, site, endpoint: '/siteverify' }}
            >
              See the cause
            </PageLink>
          )
        }
      >
        {counted(totals.solved, 'challenge was', 'challenges were')} solved in this period, but all{' '}
        {counted(refused, 'call')} of /siteverify failed, so no visitor has passed.
      </Notice>
    )
  return (
    <Notice
      tone="block"
      title="You are not calling /siteverify"
      action={
        site !== undefined &&
        may('integration.read') && (
          <PageLink to="/o/$tenant/sites/$site/integrate" params={{ tenant: slug, site }}>
            Check the integration
          </PageLink>
        )
      }
    >
      {counted(totals.solved, 'challenge was', 'challenges were')} solved in this period, but no token was redeemed.
      Until your backend redeems tokens, anyone can submit your form without one.
    </Notice>
  )
}

const FIGURES = ['Completed', 'Completion rate', 'Median solve time', 'Refused'] as const

/** The number of refused requests, as a link to them. */
function Refused({
  n,
  site,
  search: { period, from, to },
}: {
  n: number
  site: string | undefined
  search: PeriodSearch
}) {
  const { slug, may } = useTenant()
  if (n === 0 || !may('refusal.read')) return whole(n)
  return (
    <Link to="/o/$tenant/refusals" params={{ tenant: slug }} search={{ period, from, to, site }}>
      {whole(n)}
      <span className="sr-only"> refused</span>
    </Link>
  )
}

/** Four figures of the period, each compared with the period before, which `basis` names; null if that is not comparable. */
function Figures({
  series: { totals, before, solveTime },
  basis,
  refused,
}: {
  series: UsageSeries
  basis: string | null
  refused: ReactNode
}) {
  const rate = ({ redeemed, intents }: Totals) => shareOf(redeemed, intents)
  const [rateNow, rateBefore] = [rate(totals), rate(before)]
  const [median, medianBefore] = [solveTime.all.p50, solveTime.before.p50]
  const values: Record<(typeof FIGURES)[number], { value: ReactNode; note: ReactNode }> = {
    Completed: {
      value: whole(totals.redeemed),
      note: compared(change(totals.redeemed, before.redeemed), basis),
    },
    'Completion rate': {
      value: formatOrDash(rateNow, percent),
      note: compared(changeOfShare(rateNow, rateBefore), basis),
    },
    'Median solve time': {
      value: formatOrDash(median, duration),
      note: median === null ? 'no solved challenges' : compared(change(median, medianBefore ?? 0), basis),
    },
    Refused: {
      value: refused,
      note: compared(change(totals.refused, before.refused), basis),
    },
  }
  return (
    <Strip busy={false}>
      {FIGURES.map((name) => (
        <Figure key={name} name={name} {...values[name]} />
      ))}
    </Strip>
  )
}

const formatOrDash = (value: number | null, format: (value: number) => string) => (value === null ? '–' : format(value))

type Totals = UsageSeries['totals']

const STEPS = [
  { name: 'Started', id: 'started', about: 'intent opened by your backend' },
  { name: 'Challenge started', id: 'challenged', about: 'by the component in a browser, or skipped by a grant' },
  { name: 'Challenge solved', id: 'solved', about: 'token added to the form' },
  { name: 'Completed', id: 'completed', about: 'token redeemed by your backend' },
] as const satisfies readonly { name: string; id: keyof ReturnType<typeof funnel>; about: string }[]

/** How many verifications reached each step. Started challenges are a step only if some of the intents had none. */
function Funnel({ totals }: { totals: Totals }) {
  const reached = funnel(totals)
  const steps = STEPS.filter(({ id }) => id !== 'challenged' || reached.challenged < reached.started)
  return (
    <Panel title="Funnel" description={biggestDrop(reached, steps)}>
      <ol className="grid gap-3">
        {steps.map(({ name, id, about }) => {
          const share = shareOf(reached[id], reached.started)
          return (
            <li key={name} className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 gap-y-1 text-13">
              <span className="min-w-0">
                <span className="font-medium">{name}</span>
                <span className="text-ink-2 max-sm:sr-only"> · {about}</span>
              </span>
              <span className="text-right tabular-nums">
                {whole(reached[id])}
                <span className="inline-block w-16 text-ink-2">{share === null ? '–' : percent(share)}</span>
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
function biggestDrop(reached: ReturnType<typeof funnel>, steps: readonly (typeof STEPS)[number][]): string {
  if (reached.started === 0) return 'No verifications in this period.'
  const losses = steps.slice(1).map(({ id, name }, i) => {
    const before = steps[i] ?? STEPS[0]
    return { lost: reached[before.id] - reached[id], from: reached[before.id], before: before.name, step: name }
  })
  const most = losses.reduce((a, b) => (b.lost > a.lost ? b : a))
  if (most.lost === 0) return 'All verifications were completed.'
  return `Biggest drop: ${most.before} → ${most.step}, ${whole(most.lost)} of ${whole(most.from)}.`
}
