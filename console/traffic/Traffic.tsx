import { useNavigate } from '@tanstack/react-router'
import { useTenant } from '../frame/useTenant.ts'
import type { ChartName, TrafficSearch } from '../routes/search.ts'
import { Figure, Strip } from '../ui/chart/Strip.tsx'
import { PageLink } from '../ui/form/Button.tsx'
import { type Range, useMovingRange } from '../ui/form/period.ts'
import { ErrorPanel } from '../ui/page/ErrorNotice.tsx'
import { Notice } from '../ui/page/Notice.tsx'
import { Panel, Skeleton } from '../ui/page/Page.tsx'
import { counted, percent, whole } from '../ui/text/format.ts'
import { type UsageSeries, useSeries } from './api.ts'
import { Charts } from './Charts.tsx'
import { TopRefusals } from './TopRefusals.tsx'
import { basisOf, change, changeOfShare, compared, duration, funnel, shareOf } from './words.ts'

/** The traffic of all sites or one: figures, charts, funnel and top errors. */
export function Traffic({
  site,
  search,
  onChart,
  onZoom,
}: {
  site?: string
  search: TrafficSearch
  /** Without it, only the outcomes are shown. */
  onChart?: (chart: ChartName | undefined) => void
  /** Shows only this part of the period. */
  onZoom: (range: Range) => void
}) {
  const { slug } = useTenant()
  const navigate = useNavigate()
  const range = useMovingRange(search)
  const { data: series, error, isFetching, refetch } = useSeries(range, site)
  const basis = basisOf(range, series?.comparable ?? true)
  if (error && !series) return <ErrorPanel error={error} retrying={isFetching} onRetry={() => void refetch()} />
  return (
    <>
      <NotRedeemingNotice series={series} {...(site !== undefined && { site })} />
      <Figures series={series} basis={basis} />
      <Charts
        series={series}
        shown={search.chart ?? 'outcomes'}
        onShow={onChart && ((chart) => onChart(chart === 'outcomes' ? undefined : chart))}
        onZoom={onZoom}
        onOpen={(list, range) =>
          void navigate({ to: `/o/$tenant/${list}`, params: { tenant: slug }, search: { ...range, site } })
        }
      />
      <Funnel totals={series?.totals} />
      <TopRefusals refusals={series?.refusals} basis={basis} />
    </>
  )
}

/** With fewer solved challenges, the merchant may only be testing. */
const MIN_SOLVED = 3

/** Warns that tokens are never redeemed, which leaves the forms unprotected. */
function NotRedeemingNotice({
  series,
  site,
}: {
  series: Pick<UsageSeries, 'totals' | 'refusals'> | undefined
  site?: string
}) {
  const { slug, may } = useTenant()
  if (!series) return null
  const { totals, refusals } = series
  if (totals.solved < MIN_SOLVED || totals.redeemed > 0) return null
  const refused = refusals.filter(({ endpoint }) => endpoint === '/siteverify').reduce((sum, { n }) => sum + n, 0)
  return (
    <Notice
      tone="block"
      title={refused > 0 ? 'Your calls of /siteverify are refused' : 'You are not calling /siteverify'}
      action={
        site !== undefined &&
        may('integration.read') && (
          <PageLink to="/o/$tenant/sites/$site/integrate" params={{ tenant: slug, site }}>
            Check the integration
          </PageLink>
        )
      }
    >
      {counted(totals.solved, 'challenge was', 'challenges were')} solved in this period, but{' '}
      {refused > 0
        ? `all ${counted(refused, 'call')} of /siteverify failed, so no visitor has passed. Top errors below have the cause.`
        : 'no token was redeemed. Until your backend redeems tokens, anyone can submit your form without one.'}
    </Notice>
  )
}

/** Four figures of the period, each compared with the period before, which `basis` names; null if that is not comparable. */
function Figures({ series, basis }: { series: UsageSeries | undefined; basis: string | null }) {
  const value = (of: (series: UsageSeries) => string) => (series ? of(series) : <Skeleton width="short" />)
  const completed = ({ redeemed, intents }: UsageSeries['totals']) => shareOf(redeemed, intents)
  return (
    <Strip busy={!series}>
      <Figure
        name="Completed"
        value={value(({ totals }) => whole(totals.redeemed))}
        note={value(({ totals, before }) => compared(change(totals.redeemed, before.redeemed), basis))}
      />
      <Figure
        name="Completion rate"
        value={value(({ totals }) => formatOrDash(completed(totals), percent))}
        note={value(({ totals, before }) => compared(changeOfShare(completed(totals), completed(before)), basis))}
      />
      <Figure
        name="Median solve time"
        value={value(({ solveTime }) => formatOrDash(solveTime.all.p50, duration))}
        note={value(({ solveTime }) =>
          solveTime.all.p50 === null ? 'no solved challenges' : compared(solveTimeChange(solveTime), basis),
        )}
      />
      <Figure
        name="Refused"
        value={value(({ totals }) => whole(totals.refused))}
        note={value(({ totals, before }) => compared(change(totals.refused, before.refused), basis))}
      />
    </Strip>
  )
}

const formatOrDash = (value: number | null, format: (value: number) => string) => (value === null ? '–' : format(value))

const solveTimeChange = ({ all, before }: UsageSeries['solveTime']) => change(all.p50 ?? 0, before.p50 ?? 0)

type Totals = UsageSeries['totals']

const STEPS = [
  { name: 'Started', id: 'started', about: 'intent opened by your backend' },
  { name: 'Challenge started', id: 'challenged', about: 'in the visitor’s browser, or skipped by a grant' },
  { name: 'Challenge solved', id: 'solved', about: 'token added to the form' },
  { name: 'Completed', id: 'completed', about: 'token redeemed by your backend' },
] as const satisfies readonly { name: string; id: keyof ReturnType<typeof funnel>; about: string }[]

/** How many verifications reached each step. */
function Funnel({ totals }: { totals: Totals | undefined }) {
  const reached = totals && funnel(totals)
  return (
    <Panel title="Funnel" description={reached && biggestDrop(reached)}>
      <ol className="grid gap-3">
        {STEPS.map(({ name, id, about }) => {
          const share = reached && shareOf(reached[id], reached.started)
          return (
            <li key={name} className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 gap-y-1 text-13">
              <span className="min-w-0">
                <span className="font-medium">{name}</span>
                <span className="text-ink-2 max-sm:sr-only"> · {about}</span>
              </span>
              <span className="text-right tabular-nums">
                {reached ? (
                  <>
                    {whole(reached[id])}
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
function biggestDrop(reached: ReturnType<typeof funnel>): string {
  if (reached.started === 0) return 'No verifications in this period.'
  const losses = STEPS.slice(1).map(({ id, name }, i) => {
    const before = STEPS[i] ?? STEPS[0]
    return { lost: reached[before.id] - reached[id], from: reached[before.id], before: before.name, step: name }
  })
  const most = losses.reduce((a, b) => (b.lost > a.lost ? b : a))
  if (most.lost === 0) return 'All verifications were completed.'
  return `Biggest drop: ${most.before} → ${most.step}, ${whole(most.lost)} of ${whole(most.from)}.`
}
