import type { Health } from './health.ts'

/**
 * What looks wrong with a tenant. `value`: of `traffic-fell` and `refusals` the share that is gone or refused, of
 * `no-siteverify` the intents, of the quota the share that is used.
 */
export type Anomaly = {
  code: 'traffic-fell' | 'refusals' | 'no-siteverify' | 'quota-nearly' | 'quota-out'
  value: number
}

/** Fewer than these in 24 hours say nothing. */
const TRAFFIC = 50
const INTENTS = 20
const REFUSED = 20

/** Anomalies for staff, the worst first. */
export function anomaliesOf(health: Health): Anomaly[] {
  const { intents, redeemed, redeemedBefore, refused, included, used, balance } = health
  const found: Anomaly[] = []
  if (used >= included && balance === 0) found.push({ code: 'quota-out', value: included === 0 ? 1 : used / included })
  if (redeemedBefore >= TRAFFIC && redeemed < 0.3 * redeemedBefore)
    found.push({ code: 'traffic-fell', value: 1 - redeemed / redeemedBefore })
  if (intents >= INTENTS && redeemed === 0) found.push({ code: 'no-siteverify', value: intents })
  const answered = intents + redeemed + refused
  if (refused >= REFUSED && refused > 0.2 * answered) found.push({ code: 'refusals', value: refused / answered })
  if (included > 0 && used < included && used >= 0.9 * included)
    found.push({ code: 'quota-nearly', value: used / included })
  return found
}
