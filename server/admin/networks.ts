import { z } from 'zod'
import { addNetwork } from '../accounts/networks/add.ts'
import { changeNetwork } from '../accounts/networks/change.ts'
import { listNetworks } from '../accounts/networks/list.ts'
import { previewNetwork } from '../accounts/networks/preview.ts'
import { removeNetwork } from '../accounts/networks/remove.ts'
import { findOwnSite } from '../accounts/sites/find.ts'
import { networkVerdict } from '../contract/networks.ts'
import { parseCidr } from '../kit/http/address.ts'
import { boundedText } from './fields.ts'
import { member, paging, rest, router } from './trpc.ts'

/** An address or a range in CIDR notation. */
export const network = boundedText(64)
/** A network in a list, after which a page begins. */
export const networkCursor = network.refine((text) => parseCidr(text) !== undefined)
const entry = z.object({ site: z.uuid(), network })
const rule = entry.extend({ verdict: networkVerdict, note: boundedText(1000) })

/** The list of networks of a site. */
export const networksRouter = router({
  list: member('network.read')
    .meta(rest('GET /sites/{site}/networks', 'List the rules for networks of a site'))
    .input(paging.extend({ site: z.uuid(), cursor: networkCursor.optional() }))
    .query(async ({ ctx, input }) => {
      const site = await findOwnSite(ctx.member, input.site)
      return listNetworks(ctx.member, { site }, { ...input, address: ctx.address })
    }),
  preview: member('network.read')
    .input(entry)
    .query(async ({ ctx, input }) => {
      const site = await findOwnSite(ctx.member, input.site)
      return previewNetwork(ctx.member, { site }, { network: input.network, address: ctx.address })
    }),
  add: member('settings.write')
    .meta(rest('POST /sites/{site}/networks', 'Add a rule for a network'))
    .input(rule)
    .mutation(async ({ ctx, input }) =>
      addNetwork(ctx.member, { site: await findOwnSite(ctx.member, input.site) }, input),
    ),
  change: member('settings.write')
    .meta(rest('PUT /sites/{site}/networks', 'Change the rule for a network'))
    .input(rule)
    .mutation(async ({ ctx, input }) =>
      changeNetwork(ctx.member, { site: await findOwnSite(ctx.member, input.site) }, input),
    ),
  remove: member('settings.write')
    .meta(rest('DELETE /sites/{site}/networks', 'Remove the rule for a network'))
    .input(entry)
    .mutation(async ({ ctx, input }) =>
      removeNetwork(ctx.member, { site: await findOwnSite(ctx.member, input.site) }, { network: input.network }),
    ),
})
