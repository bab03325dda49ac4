import { bearer } from '../../accounts/access.ts'
import { formerOwner } from '../../accounts/sites/secrets/former.ts'
import { lastFour } from '../../accounts/sites/secrets/issue.ts'
import { siteOfSecret, siteOfSitekey } from '../../accounts/sites/strangers.ts'
import { type ErrorCode, UNAUTHENTICATED } from '../../contract/errors.ts'
import { intentOfDecision, isUuid } from '../../contract/ids.ts'
import { DOCTOR_ACTION, isHostname } from '../../contract/names.ts'
import type { Context } from '../../kit/context.ts'
import type { AppError } from '../../kit/error.ts'
import { NO_SITE, recordRefusal } from '../../ledger/refusals/record.ts'
import { IN_LINE } from '../challenges/networks/line.ts'
import { originHost } from '../challenges/origin.ts'

export type RefusedCall = {
  endpoint: string
  requestId: string
  /** The parsed body, if there was one. */
  body: unknown
  origin: string | undefined
  /** The client's address and User-Agent. */
  address: string
  userAgent: string | undefined
  /** Every Authorization header. */
  authorization: string[]
  /** The authenticated site, if any. */
  site: { id: string; tenantId: string; test: unknown } | undefined
}

function textOf(body: unknown, field: string): string | undefined {
  const value: unknown =
    typeof body === 'object' && body !== null && Object.hasOwn(body, field) ? Reflect.get(body, field) : undefined
  return typeof value === 'string' ? value : undefined
}

/** The hostname that was refused: the page's if the Origin was refused, otherwise the one in the body. */
function hostnameOf({ origin, body }: RefusedCall, { code, field }: AppError<ErrorCode>): string | undefined {
  const named =
    code === 'origin-not-allowed'
      ? originHost(origin)
      : code === 'binding-mismatch' || field === 'hostname'
        ? textOf(body, 'hostname')
        : undefined
  return named !== undefined && isHostname(named) ? named : undefined
}

function intentOf({ body }: RefusedCall): string | undefined {
  const intent = textOf(body, 'intent_id')
  if (intent !== undefined) return isUuid(intent) ? intent.toLowerCase() : undefined
  return intentOfDecision(textOf(body, 'decision_id') ?? '')
}

/** The site of a call that was refused because of its secret, or before its secret or site key was checked. */
async function ownerOf(ctx: Context, call: RefusedCall, secret: string | undefined, { code }: AppError<ErrorCode>) {
  // past a limit, an unauthenticated request costs no look-up
  if (code === 'rate-limited') return undefined
  if (secret !== undefined)
    return code === 'unauthorized' ? formerOwner(ctx, secret, call) : siteOfSecret(ctx, secret, call)
  return code === 'secret-in-body'
    ? siteOfSitekey(ctx, textOf(call.body, 'sitekey') ?? '', { address: call.address, hasIntent: () => false })
    : undefined
}

/**
 * Stores a refused request, so that the merchant can fix the cause: never the body, and only four characters of a secret. A
 * refused secret that was once active belongs to its site; any other to no site. `field`: the invalid field's name, `*`,
 * or the error's detail.
 */
export async function noteRefusal(
  ctx: Context,
  call: RefusedCall,
  refusal: AppError<ErrorCode>,
  field: string | undefined,
): Promise<void> {
  // the doctor shows the cause itself, and its call is none of the merchant's backend
  if (call.site && call.endpoint === '/intents' && textOf(call.body, 'action') === DOCTOR_ACTION) return
  // the visitor waits, and is served then
  if (refusal.detail === IN_LINE) return
  const secret = bearer(call.authorization[0] ?? '')
  // before the look-up, so that refusals are stored in their order
  const at = ctx.clock.now()
  // recording must never delay or fail the request
  const site = call.site ?? (await ownerOf(ctx, call, secret, refusal).catch(() => undefined))
  if (site && 'test' in site && site.test !== undefined) return
  recordRefusal(ctx, site ?? NO_SITE, {
    requestId: call.requestId,
    endpoint: call.endpoint,
    code: refusal.code,
    field: refusal.code === 'secret-in-body' && secret === undefined ? UNAUTHENTICATED : field,
    hostname: hostnameOf(call, refusal),
    intentId: intentOf(call),
    keyHint: refusal.code === 'unauthorized' && secret?.startsWith('tg_secret_') ? lastFour(secret) : undefined,
    at,
  })
}
