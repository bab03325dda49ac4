import type { Environment } from './environment.ts'

/** How long data is kept. */
export type Retention = Readonly<{
  intentHours: number
  /** Of the published test keys. */
  testHours: number
  /** After the grant expired: its session. */
  grantSessionHours: number
  /** Client networks of decisions. */
  networkDays: number
  refusalDays: number
  /** After the invitation expired. */
  invitationDays: number
  /** That were never confirmed. */
  signUpDays: number
  /** Browser and network of people's sign-ins. */
  activityDays: number
  /** E-mail addresses in the audit. */
  addressDays: number
  /** Jobs that are not tried again, after their last attempt. */
  failedJobDays: number
  /** Decisions, with their reports and grants, which are archived before. If undefined, they are kept. */
  decisionDays: number | undefined
}>

export const retentionOf = (e: Environment): Retention => ({
  intentHours: e.KEEP_INTENTS_HOURS,
  testHours: e.KEEP_TEST_DATA_HOURS,
  grantSessionHours: e.KEEP_GRANT_SESSIONS_HOURS,
  networkDays: e.KEEP_NETWORKS_DAYS,
  refusalDays: e.KEEP_REFUSALS_DAYS,
  invitationDays: e.KEEP_INVITATIONS_DAYS,
  signUpDays: e.KEEP_SIGN_UPS_DAYS,
  activityDays: e.KEEP_ACTIVITY_DAYS,
  addressDays: e.KEEP_AUDIT_ADDRESSES_DAYS,
  failedJobDays: e.KEEP_FAILED_JOBS_DAYS,
  decisionDays: e.KEEP_DECISIONS_DAYS,
})
