import type { Health } from './health.ts'

/**
 * Something that looks wrong with a tenant. `value`: for `traffic-fell` and `refusals` the share lost or refused, for
 * `no-siteverify` the intents, for the quota the share used, for
 * `units-requested` the units, for `incident` how many are going on.
 */
export type Anomaly = {
  code: 'traffic-fell' | 'refusals' | 'no-siteverify' | 'quota-nearly' | 'quota-out' | 'units-requested' | 'incident'
  value: number
}

/** Smaller numbers in 24 hours are not significant. */
const TRAFFIC = 50
const INTENTS = 20
const REFUSED = 20

/** Anomalies for staff, worst first. */
export function anomaliesOf(health: Health): Anomaly[] {
  const { intents, redeemed, redeemedBefore, refused, included, used, balance, requested, incidents } = health
  const found: Anomaly[] = []
  if (requested !== null) found.push({ code: 'units-requested', value: requested })
  if (incidents > 0) found.push({ code: 'incident', value: incidents })
  if (used >= included && balance === 0) found.push({ code: 'quota-out', value: included === 0 ? 1 : used / included })
  if (redeemedBefore >= TRAFFIC && redeemed < 0.3 * redeemedBefore)
    found.push({ code: 'traffic-fell', value: 1 - redeemed / redeemedBefore })
  if (intents >= INTENTS && redeemed === 0) found.push({ code: 'no-siteverify', value: intents })
  const answered = intents + redeemed + refused
  if (refused >= REFUSED && refused > 0.2 * answered) found.push({ code: 'refusals', value: refused / answered })
  // the balance is used when the quota is used up
  if (included > 0 && used < included && included - used + balance <= 0.1 * included)
    found.push({ code: 'quota-nearly', value: used / included })
  return found
}
