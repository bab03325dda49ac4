import type { TRPCClientError, TRPCLink } from '@trpc/client'
import { observable } from '@trpc/server/observable'
import type { AppRouter } from '../../server/admin/index.ts'
import { messageOf } from '../ui/page/failure.ts'
import { reauthenticate } from './reauthenticate.ts'

/**
 * A call that requires a recent sign-in waits until the person has signed in again, and is then repeated once.
 * If the person cancels, the call fails.
 */
export const freshLink: TRPCLink<AppRouter> =
  () =>
  ({ op, next }) =>
    observable((observer) => {
      let ended = false
      const afterwards = async (refusal: TRPCClientError<AppRouter>) => {
        const proved = await reauthenticate()
        if (ended) return
        if (proved) current = next(op).subscribe(observer)
        else observer.error(refusal)
      }
      let current = next(op).subscribe({
        next: (value) => observer.next(value),
        complete: () => observer.complete(),
        error: (error) => {
          if (messageOf(error) === 'reauth-required') void afterwards(error)
          else observer.error(error)
        },
      })
      return () => {
        ended = true
        current.unsubscribe()
      }
    })
