import { Readable } from 'node:stream'
import { getHTTPStatusCodeFromError } from '@trpc/server/http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { admitUser } from '../accounts/access.ts'
import { change } from '../accounts/change.ts'
import type { Context } from '../kit/context.ts'
import { admitTo } from './admit.ts'
import { auditExport } from './audit.ts'
import { decisionsExport } from './decisions.ts'
import { reasonOf, retryAfterOf, toTrpcError } from './errors.ts'
import type { Export } from './exportColumns.ts'
import { feedbackExport } from './feedback.ts'
import { boundedText } from './fields.ts'
import type { Pacing } from './pace.ts'
import { refusalsExport } from './refusals.ts'
import type { Streams } from './streams.ts'
import { statementExport } from './usage.ts'

/** The lists that can be exported, by file name. */
const EXPORTS: Readonly<Record<string, Export>> = {
  audit: auditExport,
  decisions: decisionsExport,
  feedback: feedbackExport,
  refusals: refusalsExport,
  statement: statementExport,
}

const address = z.object({ tenant: boundedText(64) })

const second = z.coerce.number().int().min(0).max(4_000_000_000).optional()
const covered = z
  .object({ from: second, to: second, month: z.iso.date().optional() })
  .catch({ from: undefined, to: undefined, month: undefined })

/** Parameters that are not named as filters. */
const UNNAMED = new Set(['tenant', 'from', 'to', 'month'])

/** What the file covers, for its name: `-2026-11`, or `-action-checkout-from-2026-11-15-to-2026-11-22` (UTC). Empty for all. */
function coverOf(query: unknown): string {
  const { from, to, month } = covered.parse(query)
  const day = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 10)
  const filters = Object.entries(z.record(z.string(), z.unknown()).parse(query)).filter(([name]) => !UNNAMED.has(name))
  const parts = [
    ...filters.map(([name, value]) =>
      `${name}-${String(value)}`
        .replaceAll(/[^A-Za-z0-9.]+/g, '-')
        .slice(0, 50)
        .replace(/-$/, ''),
    ),
    month?.slice(0, 7),
    from !== undefined && `from-${day(from)}`,
    // the end is exclusive
    to !== undefined && `to-${day(Math.max(0, to - 1))}`,
  ]
  return parts.map((part) => (part ? `-${part}` : '')).join('')
}

/** Mounts `GET /export/<name>.csv?tenant=…` with the filters of the list; streams all of it. */
export function mountExports(admin: FastifyInstance, ctx: Context, bounds: Bounds): void {
  for (const [name, wanted] of Object.entries(EXPORTS))
    admin.get(`/export/${name}.csv`, async (request, reply) => {
      try {
        return await send(ctx, bounds, { name, wanted, request, reply })
      } catch (error) {
        const refused = toTrpcError(error)
        const status = getHTTPStatusCodeFromError(refused)
        if (status === 500) throw error
        const retryAfter = retryAfterOf(error)
        if (retryAfter !== undefined) void reply.header('retry-after', String(retryAfter))
        return reply.code(status).send({ error: reasonOf(refused), message: refused.message })
      }
    })
}

/** The limits of a person's exports. */
type Bounds = { streams: Streams; pace: Pacing }

type Asked = { name: string; wanted: Export; request: FastifyRequest; reply: FastifyReply }

async function send(
  ctx: Context,
  { streams, pace }: Bounds,
  { name, wanted, request, reply }: Asked,
): Promise<FastifyReply> {
  const { tenant } = address.parse(request.query)
  const user = await admitUser(ctx, request.headers)
  if (user) await pace(user.user.id, false)
  const member = await admitTo(user, tenant, wanted)
  const rowsFor = wanted.read(request.query)
  const file = `${name}-${member.tenant.slug}${coverOf(request.query)}.csv`
  const answer = () =>
    reply
      .header('content-type', 'text/csv; charset=utf-8')
      .header('content-disposition', `attachment; filename="${file}"`)
  if (request.method === 'HEAD') return answer().send()
  await change(member, async () => ({
    out: undefined,
    change: { tenantId: member.tenant.id, action: 'tenant.export', target: member.tenant.id, after: { list: name } },
  }))
  const giveBack = await streams.open(member.user.id)
  // if reading fails or the server closes, the connection is aborted: a partial file must not look complete
  const rows = Readable.from(rowsFor(member), { signal: streams.closing })
  rows.once('close', giveBack)
  return answer().send(rows)
}
