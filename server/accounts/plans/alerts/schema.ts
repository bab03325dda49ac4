/** Parts of the month's included units, in percent, of which a tenant can be told. Imports nothing: the console shows it. */
export const ALERT_PERCENTS = [50, 80, 90, 100] as const

/** What a tenant is told of until it chooses otherwise. */
export const DEFAULT_ALERTS: readonly number[] = [80, 100]
