import { whole } from '../ui/number.ts'

/** Units charged by the month's end: most likely, and between which two with a chance of 4 in 5. */
export type Forecast = { likely: number; low: number; high: number }

/** What follows from the month so far, in a sentence; the consequence first. */
export function outlook(meter: { included: number; used: number; balance: number; forecast: Forecast | null }): string {
  const { included, used, balance, forecast } = meter
  if (used >= included)
    return balance > 0
      ? `The plan is used up: each verification takes a unit of the balance, ${whole(balance)} are left.`
      : 'Nothing is left: new intents are refused with quota-exceeded until units are added.'
  if (used === 0) return 'Nothing is used yet: the first redeemed token counts here within seconds.'
  if (forecast === null) return 'It is too early to say how the month goes on: that takes a whole day.'
  const over = forecast.likely - included
  if (over <= 0)
    return forecast.high > included
      ? `At this pace ${whole(-over)} units will be left at the end of the month, but the plan may run out.`
      : `At this pace ${whole(-over)} units will be left at the end of the month.`
  return over <= balance
    ? `At this pace the plan runs out and ${whole(over)} units will come from the balance.`
    : `At this pace ${whole(over - balance)} verifications will be refused: add units or raise the plan.`
}

/** `4,100–5,600`; one number where there is no doubt. */
export const rangeOf = ({ low, high }: Forecast): string => (low === high ? whole(low) : `${whole(low)}–${whole(high)}`)
