import { TRPCClientError } from '@trpc/client'
import type { AppRouter } from '../../../server/admin/index.ts'

/** What went wrong, what to do, and the id under which the service's log tells more. */
export type Failure = { title: string; advice: string; requestId: string | null }

/** A refusal in words for the person, of something other than tRPC. */
export class Refused extends Error {}

/** The message of a refusal by the service, as codes; free text otherwise. */
export const messageOf = (error: unknown): string | null => (isFailedCall(error) && error.data ? error.message : null)

/** The tRPC code of a refusal, such as `NOT_FOUND`; null where nothing or something else answered. */
export const codeOf = (error: unknown): string | null => (isFailedCall(error) ? (error.data?.code ?? null) : null)

/** A readable description of any error. */
export function failureOf(error: unknown): Failure {
  if (error instanceof Refused) return { title: error.message, advice: '', requestId: null }
  const { status, requestId } = replyOf(error)
  const code = codeOf(error)
  if (code !== null && code !== 'INTERNAL_SERVER_ERROR' && code !== 'SERVICE_UNAVAILABLE') {
    return { title: REFUSALS[messageOf(error) ?? ''] ?? messageOf(error) ?? code, advice: '', requestId }
  }
  if (status === 503)
    return {
      title: 'The service can’t respond in time',
      advice: 'It is overloaded, shutting down, or waiting for its database. Nothing was changed. Try again.',
      requestId,
    }
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

/** Refusals that the service names by a word of its own. */
const REFUSALS: Readonly<Record<string, string>> = {
  'sign-in-required': 'Your session has ended. Sign in again.',
  'two-factor-required': 'This requires two-factor authentication. Turn it on in your account, then come back.',
  'supersede-stale':
    'Someone reported on this decision in the meantime. Its latest feedback is shown now: check whether yours is still needed, then send it again.',
  'reauth-required': 'Cancelled. Nothing was changed.',
}

/** What came back with an error: no status when nothing did. */
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
