import { whole } from '../ui/number.ts'

/** What follows from the month so far, in a sentence; the consequence first. */
export function outlook(meter: { included: number; used: number; balance: number; forecast: number | null }): string {
  const { included, used, balance, forecast } = meter
  if (used >= included)
    return balance > 0
      ? `The plan is used up: each verification takes a unit of the balance, ${whole(balance)} are left.`
      : 'Nothing is left: new permits are refused with quota-exceeded until units are added.'
  if (used === 0) return 'Nothing is used yet: the first redeemed token counts here within seconds.'
  if (forecast === null) return 'It is too early in the month to say how it goes on.'
  const over = forecast - included
  if (over <= 0) return `At this pace ${whole(-over)} units will be left at the end of the month.`
  return over <= balance
    ? `At this pace the plan runs out and ${whole(over)} units will come from the balance.`
    : `At this pace ${whole(over - balance)} verifications will be refused: add units or raise the plan.`
}
