import { Figure, Strip } from '../ui/chart/Strip.tsx'
import { Skeleton } from '../ui/page/Page.tsx'
import { percent, whole } from '../ui/text/format.ts'
import type { UsageSeries } from './useSeries.ts'
import { change, changeOfShare, duration, shareOf } from './words.ts'

/** Four figures of the period, each compared with the period before. */
export function Figures({ series }: { series: UsageSeries | undefined }) {
  const value = (of: (series: UsageSeries) => string) => (series ? of(series) : <Skeleton width="short" />)
  const completed = ({ redeemed, intents }: UsageSeries['totals']) => shareOf(redeemed, intents)
  return (
    <Strip busy={!series}>
      <Figure
        name="Completed"
        value={value(({ totals }) => whole(totals.redeemed))}
        note={value(({ totals, before }) => `${change(totals.redeemed, before.redeemed)} · one unit each`)}
      />
      <Figure
        name="Completion rate"
        value={value(({ totals }) => shown(completed(totals), percent))}
        note={value(({ totals, before }) => changeOfShare(completed(totals), completed(before)))}
      />
      <Figure
        name="Median solve time"
        value={value(({ solveTime }) => shown(solveTime.all.p50, duration))}
        note={value(({ solveTime }) =>
          solveTime.all.p95 === null
            ? 'no solved challenges'
            : `95th percentile ${duration(solveTime.all.p95)} · ${changeOf(solveTime)}`,
        )}
      />
      <Figure
        name="Refused"
        value={value(({ totals }) => whole(totals.refused))}
        note={value(({ totals, before }) => change(totals.refused, before.refused))}
      />
    </Strip>
  )
}

const shown = (value: number | null, format: (value: number) => string) => (value === null ? '–' : format(value))

const changeOf = ({ all, before }: UsageSeries['solveTime']) => change(all.p50 ?? 0, before.p50 ?? 0)
