import { TRPCClientError } from '@trpc/client'
import type { AppRouter } from '../../../server/admin/index.ts'
import type { Reason } from '../../../server/contract/reasons.ts'

/** What went wrong, what to do, and the id under which the service's log has more. */
export type ErrorMessage = { title: string; advice: string; requestId: string | null }

/** An error with a message for the person, from something other than tRPC. */
export class Refused extends Error {
  /** The field of the form that was refused. */
  readonly field: string | undefined

  constructor(message: string, field?: string) {
    super(message)
    this.field = field
  }
}

/** Why the service refused; null where it did not answer. */
export const reasonOf = (error: unknown): Reason | null => (isFailedCall(error) && error.data?.reason) || null

/** The field of the form that the service refused, if it names one. */
export const fieldOf = (error: unknown): string | undefined =>
  error instanceof Refused ? error.field : isFailedCall(error) ? error.data?.field : undefined

/** The tRPC code of a refusal, such as `NOT_FOUND`; null where the service did not answer. */
export const codeOf = (error: unknown): string | null => (isFailedCall(error) ? (error.data?.code ?? null) : null)

/** The service answered that it cannot answer now, or did not answer in time. */
export const isBusy = (error: unknown): boolean => {
  const reason = reasonOf(error)
  if (reason !== null) return reason === 'unavailable'
  return isFailedCall(error) && (replyOf(error).status === 503 || error.cause?.name === 'TimeoutError')
}

export const BUSY = {
  title: 'Tollgate is busy, or its database does not answer',
  advice: 'It is not your connection. Try again in a few seconds.',
}

/** Any error in words. The service sends a sentence with each reason; codes are never shown. */
export function describeError(error: unknown): ErrorMessage {
  if (error instanceof Refused) return { title: error.message, advice: '', requestId: null }
  const { requestId } = replyOf(error)
  const reason = reasonOf(error)
  // the sign-in was asked for, and cancelled
  if (reason === 'reauth-required') return { title: 'Cancelled. Nothing was changed.', advice: '', requestId }
  if (isBusy(error)) return { ...BUSY, requestId }
  if (isFailedCall(error) && reason !== null && reason !== 'internal-error')
    return { title: error.message, advice: '', requestId }
  if (requestId !== null)
    return {
      title: 'The service failed',
      advice: 'This is an error in the service. Its log has details under the request id.',
      requestId,
    }
  if (isFailedCall(error))
    return { title: 'Can’t reach Tollgate', advice: 'Check your connection, then try again.', requestId }
  return {
    title: 'Something went wrong on this page',
    advice: 'Reload it. If it happens again, contact support.',
    requestId,
  }
}

/** The HTTP status and request id of the reply to a failed call; both null without a reply. */
export function replyOf(error: unknown): { status: number | null; requestId: string | null } {
  const failed = isFailedCall(error) ? error : null
  const response = failed?.meta?.['response']
  const reply = response instanceof Response ? response : null
  return {
    status: reply?.status ?? null,
    requestId: failed?.data?.requestId ?? reply?.headers.get('x-request-id') ?? null,
  }
}

function isFailedCall(error: unknown): error is TRPCClientError<AppRouter> {
  return error instanceof TRPCClientError
}
