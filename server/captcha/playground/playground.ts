import { admitAsSite, type MemberCtx, type SiteCtx } from '../../accounts/access.ts'
import { change } from '../../accounts/change.ts'
import { ERRORS, type ErrorCode } from '../../contract/mistakes/errors.ts'
import { PLAYGROUND_ACTION } from '../../contract/names.ts'
import { randomBase62 } from '../../kit/crypto/ids.ts'
import { AppError } from '../../kit/error.ts'
import { consoleHost } from '../challenges/origin.ts'
import { openIntent } from '../intents/open.ts'
import { type Redemption, redeem } from '../redemption/redeem.ts'
import { explainRefusal } from '../refusals/explain.ts'

/** What can be broken on purpose. */
export const FAULTS = ['wrong-host', 'reused-token', 'expired', 'no-quota'] as const
export type Fault = (typeof FAULTS)[number]

/** A call as the merchant's backend would make it, without the secret, and its answer. */
export type TriedCall = {
  endpoint: '/intents' | '/siteverify'
  request: Record<string, string>
  status: number
  reply: Record<string, unknown>
  /** Of a refusal. */
  why?: { cause: string; fix: string }
}

/** Longer than an intent lives. */
const EXPIRED = '301 seconds'
/** Random characters of a nonce or an idempotency key. */
const KEY = 24

/** Runs a call as the API does, and describes its answer. Only errors that the API answers are described. */
async function tryCall(
  endpoint: TriedCall['endpoint'],
  request: TriedCall['request'],
  call: () => Promise<Record<string, unknown>>,
): Promise<TriedCall> {
  try {
    return { endpoint, request, status: 200, reply: await call() }
  } catch (error) {
    if (!(error instanceof AppError) || !Object.hasOwn(ERRORS, error.code)) throw error
    const { code, field } = error as AppError<ErrorCode>
    const { status, error: name, cause, fix } = explainRefusal(code, field ?? null)
    return { endpoint, request, status, reply: { error: name, ...(field && { field }) }, why: { cause, fix } }
  }
}

/**
 * The site as its backend, for a member who tries it in the console: the console's own host counts as allowed, because the
 * component runs there. No caller of the API can open an intent for that host unless it is on the site's list.
 */
const admit = (ctx: MemberCtx, site: { sitekey: string }, address: string) =>
  admitAsSite(ctx, site, { address, alsoAllows: consoleHost(ctx) })

/** Opens an intent for a page of the console, as /intents does; with `wrong-host`, for `other`. With `expired`, it has expired. */
export async function openTrial(
  as: SiteCtx,
  { fault, other = 'elsewhere.example' }: { fault?: Fault | undefined; other?: string | undefined },
): Promise<TriedCall> {
  const hostname = fault === 'wrong-host' ? other : consoleHost(as)
  const request = { action: PLAYGROUND_ACTION, nonce: randomBase62(KEY), hostname }
  const tried = await tryCall('/intents', request, async () => {
    if (!as.site.allows(hostname)) throw new AppError('bad-field', { field: 'hostname' })
    const { intentId, sitekey, expiresAt } = await openIntent(as, request)
    return { intent_id: intentId, sitekey, action: request.action, hostname, expires_at: expiresAt }
  })
  if (fault === 'expired' && tried.status === 200)
    await as.prisma.$executeRawUnsafe(
      `update intent set created_at = created_at - interval '${EXPIRED}', expires_at = expires_at - interval '${EXPIRED}'
       where id = $1::uuid and tenant_id = $2::uuid`,
      tried.reply['intent_id'],
      as.site.tenantId,
    )
  return tried
}

/** The same for a member who tries a site of the tenant. Audited. */
export async function openPlayground(
  ctx: MemberCtx,
  site: { id: string; tenantId: string; sitekey: string; hostnames: string[] },
  { fault, address }: { fault?: Fault | undefined; address: string },
): Promise<TriedCall> {
  const other = site.hostnames.find((hostname) => hostname !== consoleHost(ctx))
  const out = await openTrial(await admit(ctx, site, address), { fault, other })
  const { status, reply, request } = out
  // with the intent, the doctor leaves out what was refused for it after the intent is deleted
  const after = {
    status,
    hostname: String(request['hostname']),
    ...(status === 200 && { intent: String(reply['intent_id']) }),
  }
  return change(ctx, async () => ({
    out,
    change: { tenantId: site.tenantId, action: 'site.try', target: site.id, after },
  }))
}

type Redeeming = { fault?: Fault | undefined; intentId: string; response: string }

/** Redeems a token of such an intent, as /siteverify does. With `reused-token`, twice, with two keys. With `no-quota`, as the test key TESTquota. */
export async function redeemTrial(as: SiteCtx, { fault, intentId, response }: Redeeming): Promise<TriedCall[]> {
  const refuses = { at: 'siteverify', code: 'quota-exceeded' } as const
  const backend: SiteCtx =
    fault === 'no-quota' ? { ...as, site: { ...as.site, test: { name: '', work: 0, refuses } } } : as
  const call = () => {
    const request = {
      response,
      intent_id: intentId,
      action: PLAYGROUND_ACTION,
      hostname: consoleHost(as),
      idempotency_key: randomBase62(KEY),
    }
    return tryCall('/siteverify', request, async () =>
      answer(await redeem(backend, { ...request, intentId, key: request.idempotency_key })),
    )
  }
  const first = await call()
  return fault === 'reused-token' ? [first, await call()] : [first]
}

/** The same for a member who tries a site of the tenant. */
export const redeemPlayground = async (
  ctx: MemberCtx,
  site: { sitekey: string },
  { address, ...input }: Redeeming & { address: string },
): Promise<TriedCall[]> => redeemTrial(await admit(ctx, site, address), input)

const answer = ({ intentId, action, hostname, decisionId }: Redemption) => ({
  success: true,
  intent_id: intentId,
  action,
  hostname,
  decision_id: decisionId,
  assessment: 'passed',
})
