import type { UseQueryResult } from '@tanstack/react-query'
import type { inferOutput } from '@trpc/tanstack-react-query'
import type { trpc } from '../trpc.ts'
import { replyOf } from '../ui/failure.ts'

export type Overview = inferOutput<typeof trpc.system.overview>

export type OverviewQuery = Pick<
  UseQueryResult<Overview, unknown>,
  'data' | 'error' | 'isPending' | 'isError' | 'isFetching' | 'dataUpdatedAt' | 'errorUpdatedAt' | 'refetch'
>

/** What is wrong and what to do about it. */
export interface Fault {
  /** What the service is, in one word. */
  word: 'Unreachable' | 'Overloaded' | 'Failing' | 'Degraded'
  title: string
  advice: string
  requestId: string | null
}

const DATABASE_ADVICE = {
  embedded:
    'Verifications are answered 503 until it does. Restart the service: it recovers its embedded database at the start.',
  external:
    'Verifications are answered 503 until it does. Check the server behind DATABASE_URL; the service reconnects by itself.',
} satisfies Record<Overview['database']['kind'], string>

/** The fault that the last answer, or its absence, tells of; null when all is well or nothing is known yet. */
export function faultOf({ data, error, isError }: Pick<OverviewQuery, 'data' | 'error' | 'isError'>): Fault | null {
  if (isError) return failure(error)
  if (!data || data.database.ok) return null
  return {
    word: 'Degraded',
    title: 'The database does not answer',
    advice: DATABASE_ADVICE[data.database.kind],
    requestId: null,
  }
}

function failure(error: unknown): Fault {
  const { status, requestId } = replyOf(error)
  if (status === 503) {
    return {
      word: 'Overloaded',
      title: 'The service cannot answer in time',
      advice: 'It is overloaded, shutting down, or waiting for its database. This page asks again every 10 s.',
      requestId,
    }
  }
  // without a request id it was a proxy that spoke in the service's place, or nobody
  if (requestId !== null) {
    return {
      word: 'Failing',
      title: 'The service failed to answer',
      advice: 'This is a fault of the service. Its log tells more under the request id.',
      requestId,
    }
  }
  return {
    word: 'Unreachable',
    title: 'The service does not answer',
    advice: 'Check that it runs and that this machine reaches it. This page asks again every 10 s.',
    requestId,
  }
}
