import type { inferOutput } from '@trpc/tanstack-react-query'
import type { trpc } from '../trpc.ts'
import { Meter } from '../ui/chart/Meter.tsx'
import { Figure, Strip } from '../ui/chart/Strip.tsx'
import { Skeleton } from '../ui/page/Page.tsx'
import { whole } from '../ui/text/format.ts'
import { monthName, nextMonth } from './month.ts'
import { outlook, rangeOf } from './outlook.ts'

export type MeterData = inferOutput<typeof trpc.usage.meter>

/** The current month in figures and as a bar. Reserves its height while loading. */
export function ThisMonth({ meter }: { meter: MeterData | undefined }) {
  const figure = (value: (meter: MeterData) => string) => (meter ? value(meter) : <Skeleton width="short" />)
  const note = (value: (meter: MeterData) => string) => (meter ? value(meter) : <Skeleton width="long" />)
  return (
    <section aria-label="This month" className="grid gap-4">
      <Strip busy={!meter}>
        <Figure
          name="Used"
          value={figure(({ used }) => whole(used))}
          note={note(({ month }) => `units in ${monthName(month)}`)}
        />
        <Figure
          name="Remaining"
          value={figure(({ included, used }) => whole(Math.max(0, included - used)))}
          note={note(({ included }) => `of ${whole(included)} included`)}
        />
        <Figure
          name="Forecast"
          value={figure(({ forecast }) => (forecast === null ? '–' : whole(forecast.likely)))}
          note={note(({ forecast }) =>
            forecast === null ? 'after the first full day' : `likely ${rangeOf(forecast)}`,
          )}
        />
        <Figure
          name="Balance"
          value={figure(({ balance }) => whole(balance))}
          note={note(() => 'prepaid, used after the plan')}
        />
      </Strip>
      <div className="min-h-20 rounded-panel border border-line bg-surface p-4">
        {meter && (
          <>
            <Meter label={`${monthName(meter.month)}: included units used`} value={meter.used} max={meter.included} />
            <p className="mt-2 text-13 text-ink-2">
              {outlook(meter)}{' '}
              <span className="sm:whitespace-nowrap">The quota resets on {nextMonth(meter.month)}, 00:00 UTC.</span>
            </p>
          </>
        )}
      </div>
    </section>
  )
}
