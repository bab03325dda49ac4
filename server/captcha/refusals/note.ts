import { formerOwner } from '../../accounts/sites/secrets/former.ts'
import { lastFour } from '../../accounts/sites/secrets/issue.ts'
import type { Caller } from '../../accounts/sites/secrets/verify.ts'
import { siteOfSecret, siteOfSitekey } from '../../accounts/sites/strangers.ts'
import { intentOfDecision, isUuid } from '../../contract/ids.ts'
import { type ErrorCode, UNAUTHENTICATED } from '../../contract/mistakes/errors.ts'
import { DOCTOR_ACTION, isHostname } from '../../contract/names.ts'
import type { Context } from '../../kit/context.ts'
import type { AppError } from '../../kit/error.ts'
import { NO_SITE, recordRefusal } from '../../ledger/refusals/record.ts'
import { IN_LINE } from '../challenges/networks/line.ts'
import { originHost } from '../challenges/origin.ts'

/** The texts in a body that say what a call is about, whether or not the rest of it is valid. */
export type Named = Partial<Record<'sitekey' | 'intent_id' | 'decision_id' | 'hostname' | 'action', string | undefined>>

export type RefusedCall = Caller & {
  endpoint: string
  requestId: string
  origin: string | undefined
  /** The text of the first bearer token. */
  secret: string | undefined
  named: Named
  /** The authenticated site, if any. */
  site: { id: string; tenantId: string; test: unknown } | undefined
}

/** The hostname that was refused: the page's if the Origin was refused, otherwise the one in the body. */
function hostnameOf({ origin, named }: RefusedCall, { code, field }: AppError<ErrorCode>): string | undefined {
  const isOfBody = code === 'binding-mismatch' || field === 'hostname'
  const hostname = code === 'origin-not-allowed' ? originHost(origin) : isOfBody ? named.hostname : undefined
  return hostname !== undefined && isHostname(hostname) ? hostname : undefined
}

function intentOf({ intent_id, decision_id = '' }: Named): string | undefined {
  if (intent_id === undefined) return intentOfDecision(decision_id)
  return isUuid(intent_id) ? intent_id.toLowerCase() : undefined
}

/** The site of a call that was refused because of its secret, or before its secret or site key was checked. */
async function ownerOf(ctx: Context, call: RefusedCall, code: ErrorCode) {
  const { secret, named, address } = call
  // past a limit, an unauthenticated request costs no look-up
  if (code === 'rate-limited') return undefined
  if (secret !== undefined)
    return code === 'unauthorized' ? formerOwner(ctx, secret, call) : siteOfSecret(ctx, secret, call)
  return code === 'secret-in-body'
    ? siteOfSitekey(ctx, named.sitekey ?? '', { address, hasIntent: () => false })
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
  const { endpoint, requestId, secret, named } = call
  const { code, detail } = refusal
  if (!refusal.isRecorded) return
  // the doctor shows the cause itself, and its call is none of the merchant's backend
  if (call.site && endpoint === '/intents' && named.action === DOCTOR_ACTION) return
  // the visitor waits, and is served then
  if (detail === IN_LINE) return
  // before the look-up, so that refusals are stored in their order
  const at = ctx.clock.now()
  // recording must never delay or fail the request
  const site = call.site ?? (await ownerOf(ctx, call, code).catch(() => undefined))
  if (site && 'test' in site && site.test !== undefined) return
  recordRefusal(ctx, site ?? NO_SITE, {
    requestId,
    endpoint,
    code,
    field: code === 'secret-in-body' && secret === undefined ? UNAUTHENTICATED : field,
    hostname: hostnameOf(call, refusal),
    intentId: intentOf(named),
    keyHint: code === 'unauthorized' && secret?.startsWith('tg_secret_') ? lastFour(secret) : undefined,
    at,
  })
}
