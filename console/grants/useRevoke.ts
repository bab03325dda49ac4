import { useMutation } from '@tanstack/react-query'
import { tailOf } from '../decisions/words.ts'
import { useTenant } from '../frame/useTenant.ts'
import { queryClient, trpc } from '../trpc.ts'
import { toast } from '../ui/overlay/toast.ts'
import { counted } from '../ui/text/number.ts'
import { shortSession } from './words.ts'

const refresh = () => queryClient.invalidateQueries(trpc.grants.pathFilter())

/** Revokes one grant or all grants of a session, with undo. */
export function useRevoke() {
  const { slug } = useTenant()
  const restore = useMutation(
    trpc.grants.restore.mutationOptions({
      onSuccess: async ({ grants }) => {
        toast(
          grants.length === 1
            ? `Grant ${tailOf(grants[0] ?? '')} restored`
            : `${counted(grants.length, 'grant')} restored`,
        )
        await refresh()
      },
      // too late or expired meanwhile: the list shows which
      onError: refresh,
    }),
  )
  const undo = (revocation: string) => () => restore.mutate({ tenant: slug, revocation })
  const one = useMutation(
    trpc.grants.revoke.mutationOptions({
      onSuccess: async ({ id }, { grant }) => {
        toast(`Grant ${tailOf(grant)} revoked`, {
          description: 'The visitor will be challenged next time, also for forms that are already open.',
          undo: undo(id),
        })
        await refresh()
      },
      onError: refresh,
    }),
  )
  const session = useMutation(
    trpc.grants.revokeSession.mutationOptions({
      onSuccess: async ({ id, grants }, { session }) => {
        toast(`${counted(grants.length, 'grant')} of session ${shortSession(session)} revoked`, {
          description: 'The visitor will be challenged next time, also for forms that are already open.',
          undo: undo(id),
        })
        await refresh()
      },
      onError: refresh,
    }),
  )
  return {
    revoke: (grant: string) => one.mutate({ tenant: slug, grant }),
    revokeSession: (whole: string) => session.mutate({ tenant: slug, session: whole }),
    /** What is being revoked: a grant's id or a session. */
    busy: one.isPending ? one.variables.grant : session.isPending ? session.variables.session : undefined,
  }
}
