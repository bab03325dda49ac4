import { z } from 'zod'
import { findOwnSite } from '../accounts/sites/find.ts'
import { addSecret } from '../accounts/sites/secrets/add.ts'
import { listSecrets } from '../accounts/sites/secrets/list.ts'
import { revokeSecret } from '../accounts/sites/secrets/revoke.ts'
import { rotateSecret } from '../accounts/sites/secrets/rotate.ts'
import { AppError } from '../kit/error.ts'
import { fresh, member, paging, rest, router } from './trpc.ts'

const site = z.object({ site: z.uuid() })

/** Now, an hour, a day, a week. */
const overlap = z.union([z.literal(0), z.literal(3600), z.literal(86_400), z.literal(604_800)])

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
    .input(site.extend({ overlap }))
    .mutation(async ({ ctx, input }) => {
      const { role, allows } = ctx.member
      // without an overlap a rotation revokes all other secrets
      if (input.overlap === 0 && !allows('secret.revoke'))
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
