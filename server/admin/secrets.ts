import { z } from 'zod'
import { findOwnSite } from '../accounts/sites/find.ts'
import { addSecret } from '../accounts/sites/secrets/add.ts'
import { listSecrets } from '../accounts/sites/secrets/list.ts'
import { revokeSecret } from '../accounts/sites/secrets/revoke.ts'
import { OVERLAP_MAX, rotateSecret } from '../accounts/sites/secrets/rotate.ts'
import { AppError } from '../kit/error.ts'
import { fresh, member, paging, rest, router } from './trpc.ts'

const site = z.object({ site: z.uuid() })

/** Seconds. */
const SHORT_OVERLAP = 3600

export const secretsRouter = router({
  list: member('secret.read')
    .meta(rest('GET /sites/{site}/secrets', 'List the secrets of a site, without their text'))
    .input(paging.extend(site.shape))
    .query(async ({ ctx, input }) => listSecrets(ctx.member, await findOwnSite(ctx.member, input.site), input)),
  /** Only this reply contains the secret's text. */
  issue: fresh('secret.issue')
    .meta(rest('POST /sites/{site}/secrets', 'Add a secret; only this reply contains its text'))
    .input(site)
    .mutation(async ({ ctx, input }) => addSecret(ctx.member, await findOwnSite(ctx.member, input.site))),
  /** Only this reply contains the new secret's text. The others stay active for `overlap` more seconds. */
  rotate: fresh('secret.rotate')
    .meta(
      rest(
        'POST /sites/{site}/secrets/rotate',
        'Add a secret and end the others after `overlap` seconds; only this reply contains its text',
      ),
    )
    .input(site.extend({ overlap: z.int().min(0).max(OVERLAP_MAX) }))
    .mutation(async ({ ctx, input }) => {
      const { role, allows } = ctx.member
      // a rotation whose overlap is too short to deploy the new secret revokes all others
      if (input.overlap < SHORT_OVERLAP && !allows('secret.revoke'))
        throw new AppError('role-required', { role, permission: 'secret.revoke' })
      return rotateSecret(ctx.member, await findOwnSite(ctx.member, input.site), input.overlap)
    }),
  // needs no fresh session, so that a leaked secret can be revoked without delay
  revoke: member('secret.revoke')
    .meta(rest('DELETE /sites/{site}/secrets/{secret}', 'Revoke a secret now'))
    .input(site.extend({ secret: z.uuid() }))
    .mutation(async ({ ctx, input }) =>
      revokeSecret(ctx.member, await findOwnSite(ctx.member, input.site), input.secret),
    ),
})
