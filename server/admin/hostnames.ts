import { z } from 'zod'
import { findOwnSite } from '../accounts/sites/find.ts'
import { addHostname } from '../accounts/sites/hostnames/add.ts'
import { listHostnames } from '../accounts/sites/hostnames/list.ts'
import { listRefusedHostnames } from '../accounts/sites/hostnames/refused.ts'
import { removeHostname } from '../accounts/sites/hostnames/remove.ts'
import { boundedText } from './fields.ts'
import { member, paging, rest, router } from './trpc.ts'

const hostname = boundedText(253)
const entry = z.object({ site: z.uuid(), hostname })

export const hostnamesRouter = router({
  list: member('hostname.read')
    .meta(rest('GET /sites/{site}/hostnames', 'List the hostnames of a site'))
    .input(paging.extend({ site: z.uuid(), cursor: hostname.optional() }))
    .query(async ({ ctx, input }) => listHostnames(ctx.member, await findOwnSite(ctx.member, input.site), input)),
  /** Recently refused hostnames: at most 20, so without pages. */
  refused: member('hostname.read')
    .input(z.object({ site: z.uuid() }))
    .query(async ({ ctx, input }) => listRefusedHostnames(ctx.member, await findOwnSite(ctx.member, input.site))),
  add: member('hostname.write')
    .meta(rest('POST /sites/{site}/hostnames', 'Allow a hostname'))
    .input(entry)
    .mutation(async ({ ctx, input }) =>
      addHostname(ctx.member, await findOwnSite(ctx.member, input.site), input.hostname),
    ),
  remove: member('hostname.write')
    .meta(rest('DELETE /sites/{site}/hostnames/{hostname}', 'Remove a hostname'))
    .input(entry)
    .mutation(async ({ ctx, input }) =>
      removeHostname(ctx.member, await findOwnSite(ctx.member, input.site), input.hostname),
    ),
})
