import { z } from 'zod'
import { createKey } from '../accounts/keys/create.ts'
import { listKeys } from '../accounts/keys/list.ts'
import { revokeKey } from '../accounts/keys/revoke.ts'
import { SCOPE_NAMES } from '../contract/scopes.ts'
import { AppError } from '../kit/error.ts'
import { boundedText } from './fields.ts'
import { fresh, member, paging, publicly, rest, router } from './trpc.ts'

export const keysRouter = router({
  list: member('key.read')
    .input(paging)
    .query(({ ctx, input }) => listKeys(ctx.member, input)),
  /** Only this reply contains the key's text. */
  create: fresh('key.write')
    .input(
      z.object({
        name: boundedText(200),
        scopes: z.array(z.enum(SCOPE_NAMES)).min(1).max(SCOPE_NAMES.length),
        sites: z.array(z.uuid()).max(200).default([]),
        days: z.int().nullable().default(90),
      }),
    )
    .mutation(({ ctx, input }) => createKey(ctx.member, input)),
  // needs no fresh session, so that a leaked key can be revoked without delay
  revoke: member('key.write')
    .input(z.object({ key: z.uuid() }))
    .mutation(({ ctx, input }) => revokeKey(ctx.member, input.key)),
  /** What the key of the call is for. */
  whoami: publicly
    .meta(rest('GET /whoami', 'The tenant, scopes, sites and expiry of the key', { object: 'sites' }))
    .query(({ ctx: { key } }) => {
      if (!key) throw new AppError('page-not-found')
      const { id, name, tenant, scopes, sites = null, expiresAt } = key.facts
      return {
        key: { id, name },
        tenant: { id: tenant.id, slug: tenant.slug, name: tenant.name },
        scopes,
        sites,
        expiresAt,
      }
    }),
})
