/** `at`: minute, hour, day, month, weekday, in UTC. Each run of a job happens on one node of the deployment. */
export const TIMETABLE = [
  { task: 'watch_incidents', at: '* * * * *' },
  { task: 'send_alerts', at: '*/5 * * * *' },
  { task: 'watch_webhooks', at: '*/5 * * * *' },
  { task: 'watch_mistakes', at: '27 * * * *' },
  { task: 'sweep_intents', at: '7 * * * *' },
  { task: 'sweep_tests', at: '47 * * * *' },
  { task: 'sweep_accounts', at: '37 * * * *' },
  { task: 'sweep_grants', at: '57 * * * *' },
  { task: 'repair_usage', at: '17 * * * *' },
  { task: 'delete_expired_networks', at: '23 3 * * *' },
  { task: 'sweep_refusals', at: '29 3 * * *' },
  { task: 'erase_old_addresses', at: '33 3 * * *' },
  { task: 'delete_abandoned_jobs', at: '34 3 * * *' },
  { task: 'sweep_webhooks', at: '31 3 * * *' },
  { task: 'delete_expired_hours', at: '35 3 * * *' },
  { task: 'repair_usage_of_days', at: '53 3 * * *' },
  { task: 'archive_decisions', at: '3 4 * * *' },
  { task: 'reconcile', at: '41 4 * * *' },
  { task: 'reconcile_all', at: '11 5 * * 0' },
] as const

export type Task = (typeof TIMETABLE)[number]['task']

const MINUTE = 60
const WEEK_IN_MINUTES = 7 * 24 * 60

const matches = (field: string | undefined, value: number): boolean => {
  const step = /^\*\/(\d+)$/.exec(field ?? '')?.[1]
  return field === '*' || (step === undefined ? field === String(value) : value % Number(step) === 0)
}

/** The next run of a job that runs at least weekly, in Unix seconds; null if it runs in some days of a month only. */
export function nextRun(at: string, now: number): number | null {
  const [minute, hour, day, month, weekday] = at.split(' ')
  if (day !== '*' || month !== '*') return null
  const first = Math.floor(now / MINUTE) + 1
  for (let n = first; n <= first + WEEK_IN_MINUTES; n++) {
    const moment = new Date(n * MINUTE * 1000)
    const isDue = matches(minute, moment.getUTCMinutes()) && matches(hour, moment.getUTCHours())
    if (isDue && matches(weekday, moment.getUTCDay())) return n * MINUTE
  }
  return null
}
