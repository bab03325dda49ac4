import { seconds } from '../../../kit/clock.ts'
import type { Context } from '../../../kit/context.ts'
import type { Road } from '../../../kit/db.ts'
import type { MemberCtx, SiteCtx } from '../../access.ts'
import { isHostname } from './grammar.ts'

/** What is kept in mind: enough to find a forgotten hostname, little enough to be nobody's log. */
const PER_SITE = 20
const SITES_MAX = 5000

/** `count`: how often since this process keeps it. `lastAt`: Unix seconds. */
export type RefusedHostname = { hostname: string; count: number; lastAt: number }

/** By site, then by hostname; in both the one not seen for the longest comes first, and gives way. */
type Seen = Map<string, Map<string, RefusedHostname>>

const minds = new WeakMap<Road, Seen>()

function seenBy({ road }: Pick<Context, 'road'>): Seen {
  const seen: Seen = minds.get(road) ?? new Map()
  minds.set(road, seen)
  return seen
}

/**
 * Whether a merchant's backend may open a permit for the hostname. One that is well formed but not on the site's list
 * is kept in mind, in this process only, so that the console can offer to allow it.
 */
export function allowsHostname(ctx: SiteCtx, hostname: unknown): boolean {
  if (typeof hostname !== 'string') return false
  if (ctx.site.allows(hostname)) return true
  if (isHostname(hostname)) keep(ctx, hostname)
  return false
}

function keep(ctx: SiteCtx, hostname: string): void {
  const seen = seenBy(ctx)
  const ofSite = seen.get(ctx.site.id) ?? new Map<string, RefusedHostname>()
  setLatest(seen, ctx.site.id, ofSite, SITES_MAX)
  const count = (ofSite.get(hostname)?.count ?? 0) + 1
  setLatest(ofSite, hostname, { hostname, count, lastAt: seconds(ctx.clock.now()) }, PER_SITE)
}

/** Sets the entry as the map's latest; beyond `max` the first gives way. */
function setLatest<Value>(map: Map<string, Value>, key: string, value: Value, max: number): void {
  map.delete(key)
  map.set(key, value)
  const oldest = map.keys().next()
  if (map.size > max && !oldest.done) map.delete(oldest.value)
}

/**
 * The hostnames that `/intents` refused the site's backend lately and that are still not on its list, the latest first:
 * at most 20, as this node saw them since it started.
 */
export async function listRefusedHostnames(ctx: MemberCtx, site: { id: string }): Promise<RefusedHostname[]> {
  const refused = [...(seenBy(ctx).get(site.id)?.values() ?? [])]
  const allowed = await ctx.prisma.hostname.findMany({
    where: { siteId: site.id, hostname: { in: refused.map(({ hostname }) => hostname) } },
    select: { hostname: true },
  })
  const now = new Set(allowed.map(({ hostname }) => hostname))
  return refused.filter(({ hostname }) => !now.has(hostname)).toReversed()
}
