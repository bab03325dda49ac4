import { z } from 'zod'
import { findSiteRow } from '../accounts/find.ts'
import { addNetwork } from '../accounts/networks/add.ts'
import { changeNetwork } from '../accounts/networks/change.ts'
import { listNetworks } from '../accounts/networks/list.ts'
import { previewNetwork } from '../accounts/networks/preview.ts'
import { removeNetwork } from '../accounts/networks/remove.ts'
import { reasonOf } from '../accounts/staff/reason.ts'
import { findNetworks } from '../captcha/challenges/networks/find.ts'
import { networkLists } from '../captcha/challenges/networks/lists.ts'
import { networkVerdict } from '../contract/networks.ts'
import { boundedText } from './fields.ts'
import { network, networkCursor } from './networks.ts'
import { freshStaff, paging, router, staff } from './trpc.ts'

const DEPLOYMENT = { site: null } as const
const entry = z.object({ network, reason: boundedText(1000) })
const rule = entry.extend({ verdict: networkVerdict })

/** The deployment's list of networks, which all sites have. The note of a rule is its reason. */
export const staffNetworksRouter = router({
  list: staff('lead')
    .input(paging.extend({ cursor: networkCursor.optional() }))
    .query(({ ctx, input }) => listNetworks(ctx.staff, DEPLOYMENT, { ...input, address: ctx.address })),
  preview: staff('lead')
    .input(z.object({ network }))
    .query(({ ctx, input }) => previewNetwork(ctx.staff, DEPLOYMENT, { ...input, address: ctx.address })),
  /** Which entries contain an address, at a site or at any. */
  find: staff('lead')
    .input(z.object({ address: boundedText(64), site: boundedText(64).optional() }))
    .query(async ({ ctx, input }) => {
      const lists = networkLists(ctx.staff)
      await lists.readFile()
      return findNetworks(ctx.staff, {
        address: input.address,
        site: input.site === undefined ? null : await findSiteRow(ctx.staff, input.site),
        file: lists.fileEntries,
      })
    }),
  add: freshStaff('lead')
    .input(rule)
    .mutation(({ ctx, input }) => addNetwork(ctx.staff, DEPLOYMENT, { ...input, note: reasonOf(input.reason) })),
  change: freshStaff('lead')
    .input(rule)
    .mutation(({ ctx, input }) => changeNetwork(ctx.staff, DEPLOYMENT, { ...input, note: reasonOf(input.reason) })),
  remove: freshStaff('lead')
    .input(entry)
    .mutation(({ ctx, input }) => removeNetwork(ctx.staff, DEPLOYMENT, { ...input, reason: reasonOf(input.reason) })),
})
