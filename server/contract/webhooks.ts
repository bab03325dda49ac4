/** The events that webhooks report. It imports nothing, so that the console can use it. */

/** What an event of each type says about what happened: ids, counts and reasons, and nothing that identifies a visitor or a person. */
export type EventData = {
  'incident.started': {
    incident: string
    site: string
    kind: 'work' | 'refusals'
    /** Shares of raised challenges for `work`, refused requests in 10 minutes for `refusals`. */
    peak: number
    usual: number
  }
  'incident.ended': EventData['incident.started'] & { minutes: number }
  'quota.threshold_reached': { month: string; percent: number; included: number; used: number; balance: number }
  'quota.exceeded': { month: string; included: number; used: number }
  'secret.used_after_end': { site: string; secret: string }
  'site.paused': { site: string }
  'site.resumed': { site: string }
  'tenant.suspended': Record<string, never>
  'tenant.restored': Record<string, never>
  'statement.ready': { month: string }
  'mistake.found': { site: string; mistake: string; severity: 'error' | 'warning'; count: number }
  'webhook.test': { webhook: string }
}

export type EventType = keyof EventData

/** When each is sent. */
export const EVENT_TYPES = {
  'incident.started': 'an incident of a site starts',
  'incident.ended': 'an announced incident ends',
  'quota.threshold_reached': 'a usage alert is reached',
  'quota.exceeded': 'quota and balance are used up',
  'secret.used_after_end': 'a server still sends an ended secret',
  'site.paused': 'a site is paused',
  'site.resumed': 'a site is resumed',
  'tenant.suspended': 'the operator suspends the tenant',
  'tenant.restored': 'the suspension ends',
  'statement.ready': 'the statement of last month is final',
  'mistake.found': 'the doctor finds a new mistake',
  'webhook.test': 'a test is requested',
} as const satisfies Record<EventType, string>

/** Those that an endpoint can choose; a test is sent to any. */
export type ChosenType = Exclude<EventType, 'webhook.test'>
export const CHOSEN_TYPES = Object.keys(EVENT_TYPES).filter((type) => type !== 'webhook.test') as [
  ChosenType,
  ...ChosenType[],
]
