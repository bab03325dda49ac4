import type { ErrorCode } from '../../contract/mistakes/errors.ts'
import type { Context, Resource } from '../../kit/context.ts'
import { batchStatement } from '../../kit/db/arrays.ts'
import { writeBuffer } from '../../kit/db/writeBuffer.ts'
import { WindowCounter } from '../../kit/limits/windowCounter.ts'
import { countUsage } from '../usage/count.ts'

/** The tenant and site of a request that belongs to no site. */
export const NO_SITE = { id: '00000000-0000-0000-0000-000000000000', tenantId: '00000000-0000-0000-0000-000000000000' }

export type RefusedRequest = {
  /** `req_` + 32 hex digits. */
  requestId: string
  endpoint: string
  code: ErrorCode
  /**
   * A field of the contract, or `*` for an unknown one, because its name is arbitrary text of the sender. For some other
   * codes, a detail of the error, such as the list that a network is on, or `automation`.
   */
  field: string | undefined
  /** A well-formed hostname, if it was the cause. */
  hostname: string | undefined
  /** The intent that the request named. */
  intentId: string | undefined
  /** The four characters before the checksum of a refused secret. */
  keyHint: string | undefined
}

type Item = RefusedRequest & { tenantId: string; siteId: string; at: number }

const RECORD = batchStatement<Item>(
  'record_refusals',
  {
    id: ['uuid', (i) => i.requestId.slice('req_'.length)],
    tenant: ['uuid', (i) => i.tenantId],
    site: ['uuid', (i) => i.siteId],
    at: ['float8', (i) => i.at / 1000],
    endpoint: ['text', (i) => i.endpoint],
    code: ['text', (i) => i.code],
    field: ['text', (i) => i.field ?? null],
    hostname: ['text', (i) => i.hostname ?? null],
    intent: ['uuid', (i) => i.intentId ?? null],
    hint: ['text', (i) => i.keyHint ?? null],
  },
  ({ unnest }) => `
    insert into refusal (id, tenant_id, site_id, at, endpoint, code, field, hostname, intent_id, key_hint, reference)
    select id, tenant, site, to_timestamp(at), endpoint, code, field, hostname, intent, hint, right(id::text, 8)
    from ${unnest}
    on conflict do nothing`,
)

const BUFFER = writeBuffer<Item>('refusals', {
  max: 5000,
  merge: (waiting) => waiting,
  write: (pool, items) => pool.query(RECORD, RECORD.values(items)),
})

const MINUTE_MS = 60_000
/** Rows per minute, site, code and node, of which each process has its share. An attack must not fill the disk (a row takes about 300 bytes), and a mistake must be visible. */
const ROWS_PER_MINUTE = 30

const ROWS: Resource<WindowCounter> = {
  name: 'rows of refusals',
  make: () => new WindowCounter({ maxKeys: 50_000 }),
}

/**
 * Counts a refused request and stores a row of it up to a rate, without waiting. `site`: the site of the request,
 * or NO_SITE, which is not counted. `at`: milliseconds by the database's clock.
 */
export function recordRefusal(
  ctx: Pick<Context, 'resources' | 'config'>,
  site: { id: string; tenantId: string },
  refused: RefusedRequest & { at: number },
): void {
  const { endpoint, code, field, at, requestId } = refused
  if (site !== NO_SITE)
    countUsage(ctx, site, {
      measure: 'refused',
      label: [endpoint, code, ...(field === undefined ? [] : [field])].join(' '),
      at,
    })
  const rows = ctx.resources.of(ROWS)
  const share = Math.max(1, Math.floor(ROWS_PER_MINUTE / ctx.config.workers))
  if (rows.take(`${site.id} ${endpoint} ${code} ${field}`, share, MINUTE_MS) > 0) return
  ctx.resources.of(BUFFER).add(requestId, { ...refused, tenantId: site.tenantId, siteId: site.id })
}
