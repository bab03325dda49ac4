import type { SiteFacts } from '../../accounts/sites/facts.ts'
import type { Context } from '../../kit/context.ts'
import type { FoundIntent } from '../intents/find.ts'

type AtSite = Pick<Context, 'config'> & { readonly site: Pick<SiteFacts, 'grantsEnabled'> }

/** Whether the deployment and the site's policy allow grants. */
export const grantsEnabled = ({ config, site }: AtSite): boolean => config.grants && site.grantsEnabled

/**
 * Whether an intent may skip the challenge: it was opened with a grant, the grant is not revoked, and grants are still
 * enabled. The grant may have expired or been used up since: its use was spent when the intent was opened.
 */
export const isExempt = (ctx: AtSite, intent: FoundIntent): boolean => intent.grantHolds && grantsEnabled(ctx)
