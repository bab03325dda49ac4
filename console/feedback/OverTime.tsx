import { useNavigate } from '@tanstack/react-router'
import { useTenant } from '../frame/useTenant.ts'
import { Chart } from '../ui/chart/Chart.tsx'
import { stepName } from '../ui/chart/chartData.ts'
import { Section } from '../ui/page/Page.tsx'
import { Skeleton } from '../ui/page/Skeleton.tsx'
import { counted, whole } from '../ui/text/number.ts'
import { useZone, type Zone } from '../ui/text/zone.ts'
import type { Rates } from './useRates.ts'
import { fine, rateOf } from './words.ts'

/** The abuse rate over time. A click on a step opens its decisions. */
export function OverTime({ rates, site }: { rates: Rates | undefined; site: string | undefined }) {
  const { slug } = useTenant()
  const navigate = useNavigate()
  const zone = useZone()
  return (
    <Section
      title="Abuse over time"
      description="By the hour of the verification and its latest report. Recent hours still rise as reports come in."
    >
      {/* leaves room for the legend and the table's summary, so that nothing below moves */}
      <div className="min-h-80">
        {rates ? (
          <Chart
            label="Abuse over time"
            summary={summaryOf(rates, zone)}
            kind="lines"
            format={fine}
            data={{
              times: rates.points.map(({ at }) => at),
              step: rates.step,
              series: [
                {
                  name: 'confirmed abuse, of completed verifications',
                  tone: 'block',
                  values: rates.points.map(rateOf),
                },
              ],
            }}
            onPick={(range) =>
              void navigate({
                to: '/o/$tenant/decisions',
                params: { tenant: slug },
                search: { ...range, outcome: 'confirmed_abuse', ...(site && { site }) },
              })
            }
          />
        ) : (
          <div className="grid h-80 place-items-center">
            <Skeleton width="long" />
          </div>
        )}
      </div>
    </Section>
  )
}

function summaryOf({ points, totals, step }: Rates, zone: Zone): string {
  const rate = rateOf(totals)
  if (rate === null) return 'No completed verifications in this period.'
  if (totals.confirmed_abuse === 0)
    return `No confirmed abuse among ${counted(totals.redeemed, 'completed verification')} in this period.`
  const worst = points.reduce((a, b) => (b.confirmed_abuse > a.confirmed_abuse ? b : a))
  return `${fine(rate)} of ${counted(totals.redeemed, 'completed verification')} were confirmed abuse. Peak: ${stepName(worst.at, step, zone)}, with ${whole(worst.confirmed_abuse)} of ${whole(worst.redeemed)}.`
}
