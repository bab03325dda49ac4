import { isSitekey } from '../../contract/ids.ts'
import type { Context, Resource } from '../../kit/context.ts'
import { AppError } from '../../kit/error.ts'
import { type ClientAddress, networkLimits } from '../../kit/http/client.ts'
import type { Rule } from '../../kit/limits/limiter.ts'
import { type Taken, takeAll } from '../../kit/limits/takeAll.ts'
import { findSite, knownFacts, type SiteFacts } from './facts.ts'
import { type Caller, cachedSecret, isFamiliar, verifySecret } from './secrets/verify.ts'
import { TRY_BEHAVIOUR } from './testKeys/behaviour.ts'

/** Site keys that do not exist, per client network, in the whole deployment. */
const UNKNOWN_SITEKEYS: Rule = { name: 'sitekey', points: 60, duration: 60 }

/** Secrets that do not exist, per client network, in the whole deployment. */
export const unknownSecrets = ({ config }: Context): Rule => ({
  name: 'secret',
  points: config.unknownSecretsPerMinute,
  duration: 60,
})

/** A test key's site exists only if the deployment has test keys, and that of the page /try only with the page. */
function counts({ config }: Context, site: SiteFacts | undefined): SiteFacts | undefined {
  if (site?.test === undefined) return site
  return (site.test === TRY_BEHAVIOUR ? config.tryPage : config.testKeys) ? site : undefined
}

/** The look-ups under way that are counted before they run, by rule, address and key. */
const UNDER_WAY: Resource<Map<string, Promise<SiteFacts | undefined>>> = { name: 'look-ups', make: () => new Map() }

type Asked = { key: string; address: ClientAddress; familiar: boolean; find: () => Promise<SiteFacts | undefined> }

/**
 * Looks up a key sent by an unauthenticated caller. The look-up is counted before it runs and uncounted if it finds a row,
 * so that past the limit no statement runs; a `familiar` key is counted only if it does not exist. So are requests that ask for a
 * key while it is looked up: otherwise the first requests of a backend, which arrive together, would refuse each other. Throws
 * `rate-limited`.
 */
async function lookUp(
  ctx: Context,
  rule: Rule,
  { key, address, familiar, find }: Asked,
): Promise<SiteFacts | undefined> {
  const take = async (): Promise<Taken> => {
    const taken = await takeAll(ctx, networkLimits(rule, address))
    if (taken.retryAfter > 0) throw new AppError('rate-limited', { retryAfter: taken.retryAfter })
    return taken
  }
  const paid = async (): Promise<SiteFacts | undefined> => {
    const taken = await take()
    // a failed look-up is uncounted as well
    let missed = false
    try {
      const site = counts(ctx, await find())
      missed = site === undefined
      return site
    } finally {
      if (!missed) await taken.giveBack()
    }
  }
  const underWay = ctx.resources.of(UNDER_WAY)
  const id = `${rule.name} ${address.text} ${key}`
  const earlier = familiar ? find().then((site) => counts(ctx, site)) : underWay.get(id)
  if (earlier) {
    const site = await earlier
    if (!site) await take()
    return site
  }
  const first = paid().finally(() => underWay.delete(id))
  underWay.set(id, first)
  return first
}

/** The site of an active secret; undefined for any other text. Throws `rate-limited` for an address that guesses. */
export async function siteOfSecret(ctx: Context, secret: string, caller: Caller): Promise<SiteFacts | undefined> {
  const cached = cachedSecret(ctx, secret)
  if (cached) return counts(ctx, cached)
  const familiar = isFamiliar(ctx, secret)
  const find = () => verifySecret(ctx, secret, caller)
  return lookUp(ctx, unknownSecrets(ctx), { key: secret, address: caller.address, familiar, find })
}

/**
 * The site of a site key; undefined if there is none. Throws `rate-limited` for an address that guesses. `hasIntent`: the
 * request names an intent of this site key, so the key is not a guess.
 */
export async function siteOfSitekey(
  ctx: Context,
  sitekey: string,
  { address, hasIntent }: { address: ClientAddress; hasIntent: () => boolean },
): Promise<SiteFacts | undefined> {
  if (!isSitekey(sitekey)) return undefined
  const cached = knownFacts(ctx).peek(sitekey)
  if (cached) return counts(ctx, cached)
  const familiar = knownFacts(ctx).has(sitekey) || hasIntent()
  return lookUp(ctx, UNKNOWN_SITEKEYS, { key: sitekey, address, familiar, find: () => findSite(ctx, sitekey) })
}
