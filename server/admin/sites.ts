import { z } from 'zod'
import { viewActivity } from '../accounts/sites/activity.ts'
import { setAttackMode } from '../accounts/sites/attack.ts'
import { countSites, createSite } from '../accounts/sites/create.ts'
import { listAttention } from '../accounts/sites/doctor/attention.ts'
import { diagnose } from '../accounts/sites/doctor/diagnose.ts'
import { findOwnSite } from '../accounts/sites/find.ts'
import { viewIntegration } from '../accounts/sites/integration.ts'
import { setPolicy, setShadow, viewPolicy, viewShadow } from '../accounts/sites/policy.ts'
import { deleteSite, pauseSite, renameSite } from '../accounts/sites/update.ts'
import { listSites, viewSite } from '../accounts/sites/view.ts'
import { attackEffect, comparePolicies } from '../captcha/challenges/difficulty/compare.ts'
import { FAULTS, openPlayground, redeemPlayground } from '../captcha/playground/playground.ts'
import { explainRefusal } from '../captcha/refusals/explain.ts'
import { LANGUAGE_NAMES } from '../contract/languages.ts'
import { siteDifficulty, sitePolicy } from '../contract/sitePolicy.ts'
import { boundedText, LATEST } from './fields.ts'
import { fresh, member, paging, rest, router } from './trpc.ts'

const text = boundedText(200)
const fault = z.enum(FAULTS).optional()
const site = z.object({ site: z.uuid() })

export const sitesRouter = router({
  list: member('site.read')
    .meta(rest('GET /sites', 'List the sites', { object: 'sites' }))
    .input(paging)
    .query(({ ctx, input }) => listSites(ctx.member, input)),
  get: member('site.read')
    .meta(rest('GET /sites/{site}', 'One site'))
    .input(site)
    .query(({ ctx, input }) => viewSite(ctx.member, input.site)),
  activity: member('traffic.read')
    .input(site)
    .query(async ({ ctx, input }) => viewActivity(ctx.member, await findOwnSite(ctx.member, input.site))),
  integration: member('integration.read')
    .input(site)
    .query(async ({ ctx, input }) => {
      const { refused, ...seen } = await viewIntegration(ctx.member, await findOwnSite(ctx.member, input.site))
      return { ...seen, refused: refused.map((calls) => ({ ...calls, ...explainRefusal(calls.code, calls.field) })) }
    }),
  /** The mistakes that the site's calls show, with the lines to change in the language. */
  doctor: member('refusal.read')
    .input(site.extend({ language: z.enum(LANGUAGE_NAMES).optional() }))
    .query(async ({ ctx, input }) => diagnose(ctx.member, await findOwnSite(ctx.member, input.site), input.language)),
  /** What needs attention at all sites: errors of the doctor, and forgotten pauses. */
  attention: member('traffic.read').query(({ ctx }) => listAttention(ctx.member)),
  /** Only this reply contains the first secret's text. */
  create: fresh('site.write')
    .meta(rest('POST /sites', 'Create a site; only this reply contains its first secret'))
    .input(z.object({ name: text, slug: text.optional(), hostnames: z.array(boundedText(253)).min(1).max(50) }))
    .mutation(({ ctx, input }) => createSite(ctx.member, ctx.member.tenant, input)),
  /** Verifies in the console itself: opens an intent for its page, and redeems the token. */
  tryOpen: member('site.write')
    .input(site.extend({ fault }))
    .mutation(async ({ ctx, input }) => {
      const own = await findOwnSite(ctx.member, input.site)
      const { hostnames } = await viewSite(ctx.member, own.id)
      return openPlayground(ctx.member, { ...own, hostnames }, { fault: input.fault, address: ctx.address })
    }),
  tryRedeem: member('site.write')
    .input(site.extend({ fault, intentId: z.uuid(), response: boundedText(512) }))
    .mutation(async ({ ctx, input: { site, ...input } }) =>
      redeemPlayground(ctx.member, await findOwnSite(ctx.member, site), { ...input, address: ctx.address }),
    ),
  /** How many there are, and how many the quota allows. */
  count: member('site.read').query(({ ctx }) => countSites(ctx.member, ctx.member.tenant)),
  rename: member('site.write')
    .meta(rest('PATCH /sites/{site}', 'Rename a site'))
    .input(site.extend({ name: text }))
    .mutation(({ ctx, input }) => renameSite(ctx.member, input)),
  pause: member('site.write')
    .meta(rest('POST /sites/{site}/pause', 'Pause a site: it opens no intents'))
    .input(site)
    .mutation(({ ctx, input }) => pauseSite(ctx.member, { ...input, paused: true })),
  resume: member('site.write')
    .meta(rest('POST /sites/{site}/resume', 'Resume a paused site'))
    .input(site)
    .mutation(({ ctx, input }) => pauseSite(ctx.member, { ...input, paused: false })),
  policy: member('settings.read')
    .meta(rest('GET /sites/{site}/policy', 'The policy of a site'))
    .input(site)
    .query(({ ctx, input }) => viewPolicy(ctx.member, input.site)),
  setPolicy: member('settings.write')
    .meta(rest('PUT /sites/{site}/policy', 'Replace the policy of a site'))
    .input(site.extend({ policy: sitePolicy }))
    .mutation(({ ctx, input }) => setPolicy(ctx.member, input)),
  /** Attack mode for an hour; `on: false` ends it early. */
  setAttackMode: member('settings.write')
    .meta(rest('PUT /sites/{site}/attack_mode', 'Switch attack mode on for an hour, or off'))
    .input(site.extend({ on: z.boolean() }))
    .mutation(({ ctx, input }) => setAttackMode(ctx.member, input)),
  /** What attack mode would have done to the visitors of the last week; null if there were none. */
  attackEffect: member('settings.read')
    .input(site)
    .query(({ ctx, input }) => attackEffect(ctx.member, input)),
  /** What the difficulty would have asked of the visitors of the last week, beside what the policy asks. */
  compare: member('settings.read')
    .input(site.extend({ difficulty: siteDifficulty, since: z.int().min(0).max(LATEST).optional() }))
    .query(({ ctx, input }) => comparePolicies(ctx.member, input)),
  shadow: member('settings.read')
    .meta(rest('GET /sites/{site}/shadow', 'The shadow policy, which is compared with the policy'))
    .input(site)
    .query(({ ctx, input }) => viewShadow(ctx.member, input.site)),
  setShadow: member('settings.write')
    .meta(rest('PUT /sites/{site}/shadow', 'Set the shadow policy'))
    .input(site.extend({ difficulty: siteDifficulty }))
    .mutation(({ ctx, input }) => setShadow(ctx.member, input)),
  discardShadow: member('settings.write')
    .meta(rest('DELETE /sites/{site}/shadow', 'Discard the shadow policy'))
    .input(site)
    .mutation(({ ctx, input }) => setShadow(ctx.member, { ...input, difficulty: null })),
  delete: fresh('site.delete')
    .meta(rest('DELETE /sites/{site}', 'Delete a site; `confirm` is its name'))
    .input(site.extend({ confirm: text }))
    .mutation(({ ctx, input }) => deleteSite(ctx.member, input)),
})
