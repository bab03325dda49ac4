import { useMutation } from '@tanstack/react-query'
import type { inferOutput } from '@trpc/tanstack-react-query'
import { useTenant } from '../frame/useTenant.ts'
import { trpc } from '../trpc.ts'
import { toast } from '../ui/overlay/toast.ts'
import { counted, shortId } from '../ui/text/format.ts'
import { shortSession } from './words.ts'

export type Grant = inferOutput<typeof trpc.grants.list>['rows'][number]

/** Revokes one grant or all grants of a session, with undo. */
export function useRevoke() {
  const { slug } = useTenant()
  const restore = useMutation(
    trpc.grants.restore.mutationOptions({
      onSuccess: ({ grants }) =>
        toast(
          grants.length === 1
            ? `Grant ${shortId(grants[0] ?? '')} restored`
            : `${counted(grants.length, 'grant')} restored`,
        ),
    }),
  )
  const undo = (revocation: string) => () => restore.mutate({ tenant: slug, revocation })
  const revokeOne = useMutation(
    trpc.grants.revoke.mutationOptions({
      onSuccess: ({ id }, { grant }) =>
        toast(`Grant ${shortId(grant)} revoked`, {
          description: 'The visitor will be challenged next time, also for forms that are already open.',
          undo: undo(id),
        }),
    }),
  )
  const revokeAll = useMutation(
    trpc.grants.revokeSession.mutationOptions({
      onSuccess: ({ id, grants }, { session }) =>
        toast(`${counted(grants.length, 'grant')} of session ${shortSession(session)} revoked`, {
          description: 'The visitor will be challenged next time, also for forms that are already open.',
          undo: undo(id),
        }),
    }),
  )
  return {
    revoke: (grant: string) => revokeOne.mutate({ tenant: slug, grant }),
    /** Revokes all grants of a session. `session`: all 64 digits. */
    revokeAllOf: (session: string) => revokeAll.mutate({ tenant: slug, session }),
    busy: revokeOne.isPending || revokeAll.isPending,
  }
}
