import type { Context } from '../kit/context.ts'
import type { Rule } from '../kit/limiter.ts'
import { networkOf } from '../kit/network.ts'
import { Refusal } from '../kit/refusal.ts'
import { findSite, type SiteFacts } from './sites/facts.ts'
import { verifySecret } from './sites/secrets/verify.ts'

declare const minted: unique symbol

/** A merchant's backend that proved a live secret of the site. */
export type SiteCtx = Context & { readonly site: SiteFacts; readonly [minted]: 'site' }

/** What is known of a browser: nothing that it says is believed beyond this. */
export type Visitor = { origin: string | undefined; address: string; mobile: boolean }

/** A browser at the component endpoints, which named the site but proved nothing. */
export type VisitorCtx = Context & { readonly site: SiteFacts; readonly visitor: Visitor; readonly [minted]: 'visitor' }

/** Somebody with the machine's shell: the command line. */
export type OperatorCtx = Context & { readonly actor: string; readonly [minted]: 'operator' }

/** The text of `Authorization: Bearer <key>`; undefined where it is malformed. */
function bearer(header: string): string | undefined {
  return /^bearer +([^\s]+)$/i.exec(header)?.[1]
}

/** Wrong secrets per client address, in the whole deployment. */
const WRONG_SECRETS: Rule = { name: 'secret', points: 30, duration: 60 }

/** A test key's site counts only where the deployment has test keys. */
const counts = (ctx: Context, site: SiteFacts | undefined): site is SiteFacts =>
  site !== undefined && (site.test === undefined || ctx.config.testKeys)

/**
 * Lets a merchant's backend in. `headers`: every Authorization header of the request; two are as bad as none.
 * Who guesses secrets is answered 429 after a while; a right secret from the same address still works.
 */
export async function admitSite(ctx: Context, headers: string[], address: string): Promise<SiteCtx> {
  const [header] = headers
  const secret = headers.length === 1 && header !== undefined ? bearer(header) : undefined
  const site = secret === undefined ? undefined : await verifySecret(ctx, secret)
  if (!counts(ctx, site)) {
    const retryAfter = secret === undefined ? 0 : await ctx.limiter.take(WRONG_SECRETS, networkOf(address))
    throw retryAfter > 0 ? new Refusal('rate-limited', { retryAfter }) : new Refusal('unauthorized')
  }
  return { ...ctx, site } as SiteCtx
}

/** Lets a browser in; undefined where there is no such site. */
export async function admitVisitor(ctx: Context, sitekey: string, visitor: Visitor): Promise<VisitorCtx | undefined> {
  const site = await findSite(ctx, sitekey)
  return counts(ctx, site) ? ({ ...ctx, site, visitor } as VisitorCtx) : undefined
}

/** Lets the command line in: who can run it can read the database anyway. */
export function admitOperator(ctx: Context, name: string): OperatorCtx {
  return { ...ctx, actor: `operator:${name}` } as OperatorCtx
}
