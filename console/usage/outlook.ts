import { whole } from '../ui/text/format.ts'

/** Units charged by the end of the month: the likely number and an 80% interval. */
type Forecast = { likely: number; low: number; high: number }

type Units = { included: number; used: number; balance: number; forecast: Forecast | null }

/** Whether verifications are refused, or likely will be this month, because there are not enough units. */
export const isRunningOut = ({ included, used, balance, forecast }: Units): boolean =>
  used >= included ? balance <= 0 : forecast !== null && forecast.likely > included + balance

/** The outlook for the month, in a sentence. */
export function outlook(meter: Units): string {
  const { included, used, balance, forecast } = meter
  if (used >= included)
    return balance > 0
      ? `The quota is used up. Verifications now use the balance: ${whole(balance)} units left.`
      : 'No units left: verifications are refused with quota-exceeded until units are added.'
  if (used === 0) return 'No units used this month yet.'
  if (forecast === null) return 'Forecast available after the first full day.'
  const over = forecast.likely - included
  if (over <= 0)
    return forecast.high > included
      ? `On track: about ${whole(-over)} units will be left at the end of the month, but the quota may run out.`
      : `On track: about ${whole(-over)} units will be left at the end of the month.`
  return over <= balance
    ? `At this pace the quota will run out and about ${whole(over)} units will come from the balance.`
    : `At this pace about ${whole(over - balance)} verifications will be refused: add units or raise the quota.`
}

/** `4,100–5,600`, or one number if both are equal. */
export const forecastRange = ({ low, high }: Forecast): string =>
  low === high ? whole(low) : `${whole(low)}–${whole(high)}`
