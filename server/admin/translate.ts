import { TRPCError } from '@trpc/server'
import { AccountError, type AccountFault } from '../accounts/error.ts'
import { MailError } from '../kit/mail.ts'
import { isPassing } from '../kit/outage.ts'
import { Refusal } from '../kit/refusal.ts'
import { BalanceError } from '../ledger/quota/topUp.ts'

const CODES = {
  invalid: 'BAD_REQUEST',
  'not-found': 'NOT_FOUND',
  conflict: 'CONFLICT',
  forbidden: 'FORBIDDEN',
  'too-many': 'TOO_MANY_REQUESTS',
  unavailable: 'SERVICE_UNAVAILABLE',
} as const satisfies Record<AccountFault, TRPCError['code']>

/** Converts known errors into tRPC's codes. Unknown ones remain internal errors, which `mask` masks. */
export function translate(error: TRPCError): TRPCError {
  const { cause } = error
  if (cause instanceof AccountError) return new TRPCError({ code: CODES[cause.fault], message: cause.message, cause })
  if (cause instanceof BalanceError) return new TRPCError({ code: 'CONFLICT', message: cause.message, cause })
  if (cause instanceof MailError)
    return new TRPCError({ code: 'SERVICE_UNAVAILABLE', message: 'The e-mail could not be sent. Try again.', cause })
  if ((cause instanceof Refusal && cause.code === 'unavailable') || isPassing(cause))
    return new TRPCError({ code: 'SERVICE_UNAVAILABLE', message: 'unavailable', cause })
  return error
}
