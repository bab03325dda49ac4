// How reports of abuse raise the difficulty of later challenges, at the sites of the tenant that reported. The console states it
// before a report is sent.

const HOUR_MS = 3_600_000
export const REPORT_HALF_LIFE_MS = 48 * HOUR_MS

/**
 * The weight of reports from which they double the difficulty once, and twice. One report starts with the weight 1: three
 * double that of a network twice for about a day, four double that of an area for about a day.
 */
export const REPORT_STEPS = {
  network: [0.25, 2],
  subject: [0.25, 2],
  // hundreds of other customers of the provider are in it
  area: [3, 12],
} as const

/** How long a single report doubles the difficulty for its network and subject, in milliseconds: 4 days. */
export const REPORT_RAISES_MS = REPORT_HALF_LIFE_MS * Math.log2(1 / REPORT_STEPS.network[0])
