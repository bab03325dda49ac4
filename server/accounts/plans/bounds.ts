import type { Config } from '../../kit/config/config.ts'

/** Units: included each month, and prepaid. */
export type Plan = Readonly<{ quota: number; balance: number }>

type Settings = Pick<Config, 'tenantCallsPerSecond' | 'sitesPerTenant' | 'intentsPerUnit'>

const SECONDS_OF_MONTH = 30 * 86_400
/** A busy second compared with the average one. */
const PEAK = 100
/** Units a month for each site above the number that every tenant may have. */
const UNITS_PER_SITE = 10_000
/** Intents an hour that every tenant may open: a trial without units to speak of. */
const LEAST_INTENTS = 1000

/** What all sites of a tenant may do together. The settings are what every tenant has; a larger plan has more. */
export const planBounds = (settings: Settings, { quota, balance }: Plan) => ({
  /** Of each backend endpoint. */
  callsPerSecond: Math.max(settings.tenantCallsPerSecond, Math.ceil((quota / SECONDS_OF_MONTH) * PEAK)),
  sites: Math.max(settings.sitesPerTenant, Math.floor(quota / UNITS_PER_SITE)),
  /** An intent is not charged, but stored for a day: by the hour, so that a tenant that reached it need not wait for long. */
  intentsPerHour: Math.max(LEAST_INTENTS, Math.ceil(((quota + balance) * settings.intentsPerUnit) / 24)),
})
