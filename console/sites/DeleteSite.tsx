import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTenant } from '../frame/useTenant.ts'
import { queryClient, trpc } from '../trpc.ts'
import { Button } from '../ui/Button.tsx'
import { TypeToConfirm } from '../ui/Confirm.tsx'
import { Panel } from '../ui/Page.tsx'
import { toast } from '../ui/toast.ts'
import { useSiteInput } from './useSite.ts'

/** The end of a site: after its name is typed and the person has proved anew who they are. */
export function DeleteSite({ name }: { name: string }) {
  const input = useSiteInput()
  const { whyNot } = useTenant()
  const navigate = useNavigate()
  const [asking, setAsking] = useState(false)
  const remove = useMutation(
    trpc.sites.delete.mutationOptions({
      onSuccess: async () => {
        toast(`${name} is deleted`)
        await navigate({ to: '/o/$tenant/sites', params: { tenant: input.tenant }, replace: true })
        await queryClient.invalidateQueries(trpc.sites.list.pathFilter())
      },
    }),
  )
  return (
    <Panel
      title="Delete this site"
      description="Its keys and hostnames go with it. Decisions and what they cost stay in the books."
    >
      <Button look="danger" busy={remove.isPending} reason={whyNot('site.delete')} onClick={() => setAsking(true)}>
        Delete site
      </Button>
      <TypeToConfirm
        open={asking}
        onClose={() => setAsking(false)}
        title={`Delete ${name}?`}
        action="Delete site"
        word={name}
        onConfirm={() => remove.mutate({ ...input, confirm: name })}
      >
        Every call with its keys is refused from now on, forms that are open cannot be submitted, and grants end. This
        cannot be undone; to stop it for a while, pause it.
      </TypeToConfirm>
    </Panel>
  )
}
