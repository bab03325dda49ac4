import { isDeepStrictEqual } from 'node:util'
import { Prisma } from '../../../prisma/client/client.ts'
import {
  eachPolicyField,
  type SiteDifficulty,
  type SitePolicy,
  siteDifficulty,
  sitePolicy,
} from '../../contract/sitePolicy.ts'
import { seconds } from '../../kit/db/clock.ts'
import type { Db } from '../../kit/db/transact.ts'
import type { MemberCtx } from '../access.ts'
import { change } from '../change.ts'
import { findOwnSite, noSite } from './find.ts'

/** The columns of a policy. A field without a column of its name does not compile. */
export const POLICY_SELECT = eachPolicyField((): true => true) satisfies Prisma.SiteSelect

/** A site's difficulty and limits. Throws AppError. */
export async function viewPolicy(ctx: Db & { tenant: { id: string } }, site: string): Promise<SitePolicy> {
  const row = await ctx.prisma.site.findFirst({ where: { id: site, tenantId: ctx.tenant.id }, select: POLICY_SELECT })
  if (!row) throw noSite()
  return withActions(row)
}

/** A policy as it was read. A direct change of the row may be outside the bounds of the form, but not of the columns' types. */
export const withActions = <R extends { actions: Prisma.JsonValue }>(row: R): R & Pick<SitePolicy, 'actions'> => ({
  ...row,
  actions: sitePolicy.shape.actions.parse(row.actions),
})

/**
 * Sets a site's policy: immediately on this node, on all nodes within 10 s. A shadow policy that becomes the policy ends.
 * Throws AppError.
 */
export async function setPolicy(ctx: MemberCtx, input: { site: string; policy: SitePolicy }): Promise<SitePolicy> {
  return change(ctx, async (ctx) => {
    const { id, tenantId } = await findOwnSite(ctx, input.site)
    const before = await viewPolicy(ctx, id)
    const shadow = await viewShadow(ctx, id)
    const ends = shadow !== null && isDeepStrictEqual(siteDifficulty.parse(input.policy), shadow.difficulty)
    await ctx.prisma.site.update({ where: { id }, data: { ...input.policy, ...(ends && NO_SHADOW) } })
    const after = await viewPolicy(ctx, id)
    return { out: after, change: { tenantId, action: 'site.set_policy', target: id, invalidates: true, before, after } }
  })
}

/** A shadow policy: a difficulty that is compared with the policy; `since` in Unix seconds. */
export type Shadow = { difficulty: SiteDifficulty; since: number }

const NO_SHADOW = { shadow: Prisma.DbNull, shadowSince: null }

/** The site's shadow policy; null if it has none. Throws AppError. */
export async function viewShadow(ctx: Db & { tenant: { id: string } }, site: string): Promise<Shadow | null> {
  const row = await ctx.prisma.site.findFirst({
    where: { id: site, tenantId: ctx.tenant.id },
    select: { shadow: true, shadowSince: true },
  })
  if (!row) throw noSite()
  if (row.shadow === null || row.shadowSince === null) return null
  return { difficulty: siteDifficulty.parse(row.shadow), since: seconds(row.shadowSince.getTime()) }
}

/** Begins a shadow policy, in place of another one; null ends it. It changes no challenge. Throws AppError. */
export async function setShadow(
  ctx: MemberCtx,
  input: { site: string; difficulty: SiteDifficulty | null },
): Promise<Shadow | null> {
  const { difficulty } = input
  return change(ctx, async (ctx) => {
    const { id, tenantId } = await findOwnSite(ctx, input.site)
    const before = await viewShadow(ctx, id)
    await ctx.prisma.site.update({
      where: { id },
      data: difficulty === null ? NO_SHADOW : { shadow: difficulty, shadowSince: new Date() },
    })
    return {
      out: await viewShadow(ctx, id),
      change: {
        tenantId,
        action: difficulty === null ? 'site.discard_shadow' : 'site.set_shadow',
        target: id,
        ...(before && { before: before.difficulty }),
        ...(difficulty && { after: difficulty }),
      },
    }
  })
}
