import { z } from 'zod'
import { findOwnSite } from '../accounts/sites/find.ts'
import { addSecret } from '../accounts/sites/secrets/add.ts'
import { listSecrets } from '../accounts/sites/secrets/list.ts'
import { revokeSecret } from '../accounts/sites/secrets/revoke.ts'
import { rotateSecret } from '../accounts/sites/secrets/rotate.ts'
import { fresh, member, paging, router } from './trpc.ts'

const site = z.object({ site: z.uuid() })

/** Now, an hour, a day, a week. */
const overlap = z.union([z.literal(0), z.literal(3600), z.literal(86_400), z.literal(604_800)])

export const secretsRouter = router({
  list: member('secret.read')
    .input(paging.extend(site.shape))
    .query(async ({ ctx, input }) => listSecrets(ctx.member, await findOwnSite(ctx.member, input.site), input)),
  /** The reply carries the secret's text, this once. */
  issue: fresh('secret.issue')
    .input(site)
    .mutation(async ({ ctx, input }) => addSecret(ctx.member, await findOwnSite(ctx.member, input.site))),
  /** The reply carries the new secret's text, this once; the others work for `overlap` seconds more. */
  rotate: fresh('secret.rotate')
    .input(site.extend({ overlap }))
    .mutation(async ({ ctx, input }) =>
      rotateSecret(ctx.member, await findOwnSite(ctx.member, input.site), input.overlap),
    ),
  // a leaked secret must be stopped without delay: no fresh sign-in
  revoke: member('secret.revoke')
    .input(site.extend({ secret: z.uuid() }))
    .mutation(async ({ ctx, input }) =>
      revokeSecret(ctx.member, await findOwnSite(ctx.member, input.site), input.secret),
    ),
})
