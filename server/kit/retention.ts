import { z } from 'zod'

const whole = (least: number, most: number) => {
  const expected = `expected a whole number from ${least} to ${most}`
  return z
    .string()
    .regex(/^\d{1,5}$/, expected)
    .transform(Number)
    .refine((n) => n >= least && n <= most, expected)
}

const DAYS_MAX = 3650

/** The settings of how long data is kept, by name in the environment. */
export const RETENTION = {
  /** Nonces are remembered for 24 hours, and an intent and its replay window take another 15 minutes. */
  KEEP_INTENTS_HOURS: whole(26, 720).default(26),
  KEEP_TEST_DATA_HOURS: whole(1, 720).default(24),
  KEEP_GRANT_SESSIONS_HOURS: whole(0, 8760).default(24),
  KEEP_NETWORKS_DAYS: whole(1, DAYS_MAX).default(30),
  KEEP_REFUSALS_DAYS: whole(1, DAYS_MAX).default(30),
  KEEP_INVITATIONS_DAYS: whole(0, DAYS_MAX).default(30),
  KEEP_SIGN_UPS_DAYS: whole(1, DAYS_MAX).default(30),
  KEEP_ACTIVITY_DAYS: whole(1, DAYS_MAX).default(90),
  KEEP_AUDIT_ADDRESSES_DAYS: whole(1, DAYS_MAX).default(400),
  /** Also in archive.sql: what may still be replayed, reported or billed is never deleted. */
  KEEP_DECISIONS_DAYS: whole(62, DAYS_MAX).optional(),
}

type Settings = z.output<z.ZodObject<typeof RETENTION>>

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
  /** Decisions, with their reports and grants, which are archived before. If undefined, they are kept. */
  decisionDays: number | undefined
}>

export const retentionOf = (e: Settings): Retention => ({
  intentHours: e.KEEP_INTENTS_HOURS,
  testHours: e.KEEP_TEST_DATA_HOURS,
  grantSessionHours: e.KEEP_GRANT_SESSIONS_HOURS,
  networkDays: e.KEEP_NETWORKS_DAYS,
  refusalDays: e.KEEP_REFUSALS_DAYS,
  invitationDays: e.KEEP_INVITATIONS_DAYS,
  signUpDays: e.KEEP_SIGN_UPS_DAYS,
  activityDays: e.KEEP_ACTIVITY_DAYS,
  addressDays: e.KEEP_AUDIT_ADDRESSES_DAYS,
  decisionDays: e.KEEP_DECISIONS_DAYS,
})
