import { z } from 'zod'

/**
 * What a list says about a network: `allow`, being busy costs its visitors nothing; `dear`, its challenges are four times as
 * difficult; `deny`, it gets no challenge.
 */
export const VERDICTS = ['allow', 'dear', 'deny'] as const
export const networkVerdict = z.enum(VERDICTS)
export type NetworkVerdict = z.infer<typeof networkVerdict>

/** The shortest prefixes that may be listed, so that a slip of the keyboard does not refuse a large part of the internet. */
export const WIDEST = { 4: 8, 6: 16 } as const

/** How many networks each list may have. Those of a site are loaded with everything else about it. */
export const SITE_NETWORKS_MAX = 200
export const DEPLOYMENT_NETWORKS_MAX = 2000

export const NETWORK_NOTE_MAX = 500
