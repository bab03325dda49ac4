import { TRPCClientError, type TRPCLink } from '@trpc/client'
import { observable } from '@trpc/server/observable'
import type { AppRouter } from '../../server/admin/index.ts'
import { codeOf, reasonOf } from '../ui/page/errorMessage.ts'

/** Why the person has to sign in again: their sign-in is too old for this call, or their session has ended. */
export type Occasion = 'old' | 'ended'

type Handler = (occasion: Occasion) => Promise<boolean>

/** The dialog's handler, set while it is mounted. */
let openDialog: Handler | undefined
let pending: Promise<boolean> | undefined
/** Whether this document has shown the pages of a person: until then there is no session that could end. */
let hasPerson = false

/** Asks the person to sign in again; false if they cancel. Concurrent calls share one dialog. */
function reauthenticate(occasion: Occasion): Promise<boolean> {
  pending ??= (openDialog?.(occasion) ?? Promise.resolve(false)).finally(() => (pending = undefined))
  return pending
}

/** The same for a session that has ended; false if there was none. */
export const reauthenticateEnded = (): Promise<boolean> =>
  hasPerson ? reauthenticate('ended') : Promise.resolve(false)

/** Registers the dialog's handler. Returns a function that removes it. */
export function onReauthenticate(handler: Handler): () => void {
  openDialog = handler
  return () => {
    if (openDialog === handler) openDialog = undefined
  }
}

/** The context of the dialog's own calls, which must not wait for the dialog. */
export const WITHOUT_DIALOG = { withoutDialog: true }

/** `session.me` has no error for an ended session: anyone may call it. */
const ENDED = TRPCClientError.from<AppRouter>({
  error: {
    code: -32_001,
    message: 'Your session has ended.',
    data: { code: 'UNAUTHORIZED', httpStatus: 401, requestId: '', reason: 'sign-in-required' },
  },
})

/**
 * A call that requires a recent sign-in, or whose session has ended, waits until the person has signed in again, and is then
 * repeated once. If the person cancels, the call fails.
 */
export const reauthenticateLink: TRPCLink<AppRouter> =
  () =>
  ({ op, next }) =>
    observable((observer) => {
      let isOver = false
      let isWaiting = false
      const retry = async (occasion: Occasion, error: TRPCClientError<AppRouter>) => {
        isWaiting = true
        const confirmed = await reauthenticate(occasion)
        if (isOver) return
        if (confirmed) current = next(op).subscribe(observer)
        else observer.error(error)
      }
      let current = next(op).subscribe({
        next(value) {
          if (op.path === 'session.me' && op.context['withoutDialog'] !== true && 'data' in value.result) {
            const isSignedIn = value.result.data !== null
            if (!isSignedIn && hasPerson) return void retry('ended', ENDED)
            hasPerson = isSignedIn
          }
          observer.next(value)
        },
        complete: () => isWaiting || observer.complete(),
        error(error: TRPCClientError<AppRouter>) {
          if (reasonOf(error) === 'reauth-required') void retry('old', error)
          else if (codeOf(error) === 'UNAUTHORIZED' && hasPerson) void retry('ended', error)
          else observer.error(error)
        },
      })
      return () => {
        isOver = true
        current.unsubscribe()
      }
    })
