import { useMutation } from '@tanstack/react-query'
import { tailOf } from '../decisions/words.ts'
import { useTenant } from '../frame/useTenant.ts'
import { queryClient, trpc } from '../trpc.ts'
import { counted } from '../ui/number.ts'
import { toast } from '../ui/toast.ts'
import { shortSession } from './words.ts'

const refresh = () => queryClient.invalidateQueries(trpc.grants.pathFilter())

/** Takes exemptions away at once, and offers to give them back. */
export function useRevoke() {
  const { slug } = useTenant()
  const restore = useMutation(
    trpc.grants.restore.mutationOptions({
      onSuccess: async ({ grants }) => {
        toast(
          grants.length === 1
            ? `${tailOf(grants[0] ?? '')} works again`
            : `${counted(grants.length, 'grant')} work again`,
        )
        await refresh()
      },
      // too late, or expired meanwhile: the list says which
      onError: refresh,
    }),
  )
  const undo = (revocation: string) => () => restore.mutate({ tenant: slug, revocation })
  const one = useMutation(
    trpc.grants.revoke.mutationOptions({
      onSuccess: async ({ id }, { grant }) => {
        toast(`Grant ${tailOf(grant)} is revoked`, {
          description: 'The next intent takes a challenge, as do those it opened that are not redeemed.',
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
          description: 'Its next intents take a challenge, as do those opened that are not redeemed.',
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
    /** What is on its way: a grant's id, or a session. */
    busy: one.isPending ? one.variables.grant : session.isPending ? session.variables.session : undefined,
  }
}
