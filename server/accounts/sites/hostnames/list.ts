import { seconds } from '../../../kit/db/clock.ts'
import type { MemberCtx } from '../../access.ts'
import type { HostnameRow } from './add.ts'

/** The site's hostnames in alphabetical order, after `cursor` (a hostname). */
export async function listHostnames(
  ctx: MemberCtx,
  site: { id: string },
  { cursor, limit }: { cursor?: string | undefined; limit: number },
): Promise<{ rows: HostnameRow[]; nextCursor: string | null }> {
  const read = await ctx.prisma.hostname.findMany({
    where: { siteId: site.id, ...(cursor === undefined ? {} : { hostname: { gt: cursor } }) },
    orderBy: { hostname: 'asc' },
    take: limit + 1,
  })
  const rows = read
    .slice(0, limit)
    .map(({ hostname, createdAt }) => ({ hostname, createdAt: seconds(createdAt.getTime()) }))
  return { rows, nextCursor: read.length > limit ? (rows.at(-1)?.hostname ?? null) : null }
}
