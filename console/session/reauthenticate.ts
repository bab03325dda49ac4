import type { TRPCClientError, TRPCLink } from '@trpc/client'
import { observable } from '@trpc/server/observable'
import type { AppRouter } from '../../server/admin/index.ts'
import { reasonOf } from '../ui/page/errorMessage.ts'

/** The dialog's handler, set while it is mounted. */
let openDialog: (() => Promise<boolean>) | undefined
let pending: Promise<boolean> | undefined

/** Asks the person to sign in again; false if they cancel. Concurrent calls share one dialog. */
function reauthenticate(): Promise<boolean> {
  pending ??= (openDialog?.() ?? Promise.resolve(false)).finally(() => (pending = undefined))
  return pending
}

/** Registers the dialog's handler. Returns a function that removes it. */
export function onReauthenticate(handler: () => Promise<boolean>): () => void {
  openDialog = handler
  return () => {
    if (openDialog === handler) openDialog = undefined
  }
}

/**
 * A call that requires a recent sign-in waits until the person has signed in again, and is then repeated once.
 * If the person cancels, the call fails.
 */
export const reauthenticateLink: TRPCLink<AppRouter> =
  () =>
  ({ op, next }) =>
    observable((observer) => {
      let ended = false
      const retry = async (error: TRPCClientError<AppRouter>) => {
        const confirmed = await reauthenticate()
        if (ended) return
        if (confirmed) current = next(op).subscribe(observer)
        else observer.error(error)
      }
      let current = next(op).subscribe({
        next: (value) => observer.next(value),
        complete: () => observer.complete(),
        error: (error) => {
          if (reasonOf(error) === 'reauth-required') void retry(error)
          else observer.error(error)
        },
      })
      return () => {
        ended = true
        current.unsubscribe()
      }
    })
