/** The percentages of the month's quota for which a tenant can get e-mail. Imports nothing, because the console uses it too. */
export const ALERT_PERCENTS = [50, 80, 90, 100] as const

/** The default percentages. */
export const DEFAULT_ALERTS: readonly number[] = [80, 100]
