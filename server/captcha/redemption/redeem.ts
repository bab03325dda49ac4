import { hash } from 'node:crypto'
import type { SiteCtx } from '../../accounts/access.ts'
import { column } from '../../kit/arrays.ts'
import { createBatch, perRoad } from '../../kit/batch.ts'
import { decisionId } from '../../kit/ids.ts'
import { Refusal, type RefusalCode } from '../../kit/refusal.ts'
import { siteRate } from '../limits/rules.ts'
import { takeAll } from '../limits/take.ts'
import { openToken, type Solve } from '../tokens/token.ts'
import { countRedemption } from '../usage/count.ts'

export type RedeemInput = { response: string; intentId: string; action: string; hostname: string; key: string }

export type Redemption = { intentId: string; action: string; hostname: string; decisionId: string }

type Item = {
  input: RedeemInput
  tenantId: string
  siteId: string
  token: Buffer
  key: Buffer
  gate: '' | 'l' | 'p'
  metered: boolean
  sealed: boolean
  allowed: boolean
  solve: Solve | null
}
type Result = { code: string; at: number }

const REDEEM = {
  name: 'redeem',
  text: '/* redeem */ select codes, at from redeem($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)',
}

const redeemBatch = perRoad<Item, Result>((road) =>
  createBatch({
    name: 'redeem',
    key: (item) => item.input.intentId,
    async run(items) {
      const [row] = await road.query<{ codes: string; at: number }>(REDEEM, [
        column.uuid(items.map((i) => i.input.intentId)),
        column.uuid(items.map((i) => i.tenantId)),
        column.uuid(items.map((i) => i.siteId)),
        column.text(items.map((i) => i.input.action)),
        column.text(items.map((i) => i.input.hostname)),
        column.bytea(items.map((i) => i.token)),
        column.bytea(items.map((i) => i.key)),
        column.text(items.map((i) => i.gate)),
        column.bool(items.map((i) => i.sealed)),
        column.bool(items.map((i) => i.allowed)),
        column.bool(items.map((i) => i.metered)),
        column.float8(items.map((i) => (i.solve ? i.solve.challengedAt / 1000 : null))),
        column.float8(items.map((i) => (i.solve ? i.solve.solvedAt / 1000 : null))),
        column.int8(items.map((i) => i.solve?.work ?? null)),
        column.int4(items.map((i) => i.solve?.reasons ?? 0)),
        column.bytea(items.map((i) => i.solve?.network ?? null)),
        column.bool(items.map((i) => i.solve?.mobile ?? null)),
      ])
      if (row?.codes.length !== items.length)
        throw new Error('redeem answered another number of requests than it was asked')
      return items.map((_, i) => ({ code: row.codes.charAt(i), at: row.at }))
    },
  }),
)

/** 128 bits are more than enough to tell a repeat from another request. */
const fingerprint = (text: string): Buffer => hash('sha256', text, 'buffer').subarray(0, 16)

const REFUSED: Record<string, RefusalCode> = {
  p: 'site-disabled',
  i: 'idempotency-conflict',
  d: 'already-redeemed',
  n: 'response-invalid',
  b: 'binding-mismatch',
  x: 'intent-expired',
  q: 'quota-exceeded',
}

/**
 * Redeems a token: one decision and one unit charged, in one transaction, however often and wherever it is repeated.
 * A repetition within 600 s gives the same answer without charge or limit; a refusal consumes nothing.
 */
export async function redeem(ctx: SiteCtx, input: RedeemInput): Promise<Redemption> {
  const { site } = ctx
  if (site.test?.refuses?.at === 'siteverify') throw new Refusal(site.test.refuses.code)
  const taken = await takeAll(ctx, [[siteRate('siteverify', site), site.id]])
  const token = openToken(ctx.keyring, input.response, { intentId: input.intentId, siteId: site.id })
  const { code, at } = await redeemBatch(ctx.road, {
    input,
    tenantId: site.tenantId,
    siteId: site.id,
    token: fingerprint(input.response),
    key: fingerprint(input.key),
    gate: taken.retryAfter > 0 ? 'l' : site.enabled ? '' : 'p',
    metered: site.test === undefined,
    sealed: token !== undefined,
    allowed: site.allows(input.hostname),
    solve: token?.solve ?? null,
  })
  ctx.clock.set(at * 1000)
  if (code === 'r') await taken.giveBack()
  const charged = code === 'w' || code === 'v'
  if (charged) countRedemption(ctx, code === 'w' ? 'quota' : 'balance', token?.solve ?? null, at * 1000)
  if (charged || code === 'r') {
    return {
      intentId: input.intentId,
      action: input.action,
      hostname: input.hostname,
      decisionId: decisionId(input.intentId),
    }
  }
  if (code === 'l') throw new Refusal('rate-limited', { retryAfter: taken.retryAfter })
  if (code === 'h') throw new Refusal('bad-field', { field: 'hostname' })
  const refused = REFUSED[code]
  throw refused === undefined ? new Error(`redeem answered ${code}`) : new Refusal(refused)
}
