import { change, changeOfShare, shareOf } from '../traffic/words.ts'
import { Figure, Strip } from '../ui/chart/Strip.tsx'
import { Skeleton } from '../ui/page/Skeleton.tsx'
import { percent, whole } from '../ui/text/number.ts'
import type { Rates } from './useRates.ts'
import { fine, rateOf, reportedOf } from './words.ts'

/** Four figures of the period, each compared with the period before. */
export function Figures({ rates }: { rates: Rates | undefined }) {
  const value = (of: (rates: Rates) => string) => (rates ? of(rates) : <Skeleton width="short" />)
  const shown = (share: number | null) => (share === null ? '–' : fine(share))
  const coverage = (rate: Rates['totals']) => shareOf(reportedOf(rate), rate.redeemed)
  return (
    <Strip busy={!rates}>
      <Figure
        name="Abuse rate"
        value={value(({ totals }) => shown(rateOf(totals)))}
        note={value(
          ({ totals, before }) => `${changeOfShare(rateOf(totals), rateOf(before))} · of completed verifications`,
        )}
      />
      <Figure
        name="Confirmed abuse"
        value={value(({ totals }) => whole(totals.confirmed_abuse))}
        note={value(({ totals, before }) => change(totals.confirmed_abuse, before.confirmed_abuse))}
      />
      <Figure
        name="Confirmed legitimate"
        value={value(({ totals }) => whole(totals.legitimate))}
        note={value(({ totals }) => `${whole(totals.unknown)} unknown`)}
      />
      <Figure
        name="Decisions with feedback"
        value={value(({ totals }) => whole(reportedOf(totals)))}
        note={value(({ totals }) => {
          const share = coverage(totals)
          return share === null
            ? 'no completed verifications'
            : `${percent(share)} of ${whole(totals.redeemed)} completed`
        })}
      />
    </Strip>
  )
}
