import type { UseQueryResult } from '@tanstack/react-query'
import type { inferOutput } from '@trpc/tanstack-react-query'
import type { trpc } from '../trpc.ts'
import { BUSY, isBusy, replyOf } from '../ui/page/errorMessage.ts'

export type Overview = inferOutput<typeof trpc.system.overview>

export type OverviewQuery = Pick<
  UseQueryResult<Overview, unknown>,
  'data' | 'error' | 'isPending' | 'isError' | 'isFetching' | 'dataUpdatedAt' | 'errorUpdatedAt' | 'refetch'
>

/** What is wrong and what to do about it. */
export interface Problem {
  /** The state of the service in one word. */
  word: 'Unreachable' | 'Overloaded' | 'Failing' | 'Degraded'
  title: string
  advice: string
  requestId: string | null
}

const DATABASE_ADVICE = {
  embedded:
    'Verifications fail with 503 until it does. Restart the service: it recovers its embedded database on start.',
  external:
    'Verifications fail with 503 until it does. Check the server at DATABASE_URL. The service reconnects automatically.',
} satisfies Record<Overview['database']['kind'], string>

/** The problem that the last response, or its absence, shows; null if there is none or nothing is known yet. */
export function problemOf({ data, error, isError }: Pick<OverviewQuery, 'data' | 'error' | 'isError'>): Problem | null {
  if (isError) return failure(error)
  if (!data || data.database.ok) return null
  return {
    word: 'Degraded',
    title: 'The database does not respond',
    advice: DATABASE_ADVICE[data.database.kind],
    requestId: null,
  }
}

function failure(error: unknown): Problem {
  const { requestId } = replyOf(error)
  if (isBusy(error))
    return {
      word: 'Overloaded',
      title: BUSY.title,
      advice: 'It is not your connection. This page retries every 10 s.',
      requestId,
    }
  // without a request id the response came from a proxy, or there was none
  if (requestId !== null) {
    return {
      word: 'Failing',
      title: 'The service failed',
      advice: 'This is an error in the service. Its log has details under the request id.',
      requestId,
    }
  }
  return {
    word: 'Unreachable',
    title: 'Can’t reach Tollgate',
    advice: 'Check that it is running and reachable from this machine. This page retries every 10 s.',
    requestId,
  }
}
