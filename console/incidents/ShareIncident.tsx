import { useMutation } from '@tanstack/react-query'
import { useTenant } from '../frame/useTenant.ts'
import { trpc } from '../trpc.ts'
import { Button } from '../ui/form/Button.tsx'
import { toast } from '../ui/overlay/toast.ts'
import { Panel } from '../ui/page/Page.tsx'
import { CopyText } from '../ui/text/Copy.tsx'

/** Makes and ends the link to the figures of an incident; `token`: of the present one. Nothing for members who may not share it. */
export function ShareIncident({ id, token }: { id: string; token: string | null }) {
  const { slug, may } = useTenant()
  const share = useMutation(trpc.incidents.share.mutationOptions({ onSuccess: () => toast('Link created') }))
  const unshare = useMutation(
    trpc.incidents.unshare.mutationOptions({
      onSuccess: () => toast('Link ended', { description: 'Who opens it sees nothing any more.' }),
    }),
  )
  if (!may('incident.share')) return null
  return (
    <Panel
      title="Share"
      description="Anyone with the link sees the figures of this incident, without signing in: no sites, hosts, actions, names or charges."
      actions={
        token === null ? (
          <Button busy={share.isPending} onClick={() => share.mutate({ tenant: slug, id })}>
            Create link
          </Button>
        ) : (
          <Button busy={unshare.isPending} onClick={() => unshare.mutate({ tenant: slug, id })}>
            End link
          </Button>
        )
      }
    >
      {token !== null && (
        <p className="text-13 wrap-anywhere text-ink-2">
          <CopyText text={`${location.origin}/i/${token}`} name="link" />
        </p>
      )}
    </Panel>
  )
}
