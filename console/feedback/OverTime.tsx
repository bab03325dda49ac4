import { useNavigate } from '@tanstack/react-router'
import { useTenant } from '../frame/useTenant.ts'
import { Chart } from '../ui/Chart.tsx'
import { stepName } from '../ui/chartData.ts'
import { counted, whole } from '../ui/number.ts'
import { Section } from '../ui/Page.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { useZone, type Zone } from '../ui/zone.ts'
import type { Rates } from './useRates.ts'
import { fine, rateOf } from './words.ts'

/** What proved to be abuse, of what was redeemed at the same time. A step opens its decisions. */
export function OverTime({ rates, site }: { rates: Rates | undefined; site: string | undefined }) {
  const { slug } = useTenant()
  const navigate = useNavigate()
  const zone = useZone()
  return (
    <Section
      title="Abuse over time"
      description="Counted in the hour of the redemption, by the latest report: recent hours still rise while reports come in."
    >
      {/* room for legend and table's fold as well, so that nothing below moves */}
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
                { name: 'confirmed abuse of what was redeemed', tone: 'block', values: rates.points.map(rateOf) },
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
  if (rate === null) return 'Nothing was redeemed in this time.'
  if (totals.confirmed_abuse === 0)
    return `No abuse is confirmed of ${counted(totals.redeemed, 'redemption')} in this time.`
  const worst = points.reduce((a, b) => (b.confirmed_abuse > a.confirmed_abuse ? b : a))
  return `${fine(rate)} of ${counted(totals.redeemed, 'redemption')} proved to be abuse. Most: ${stepName(worst.at, step, zone)}, with ${whole(worst.confirmed_abuse)} of ${whole(worst.redeemed)}.`
}
