import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTenant } from '../frame/useTenant.ts'
import { queryClient, trpc } from '../trpc.ts'
import { Button } from '../ui/form/Button.tsx'
import { TypeToConfirm } from '../ui/overlay/Confirm.tsx'
import { toast } from '../ui/overlay/toast.ts'
import { Panel } from '../ui/page/Page.tsx'
import { useSiteInput } from './useSite.ts'

/** Deletes a site after its name is typed. Requires a recent sign-in. */
export function DeleteSite({ name }: { name: string }) {
  const input = useSiteInput()
  const { whyNot } = useTenant()
  const navigate = useNavigate()
  const [asking, setAsking] = useState(false)
  const remove = useMutation(
    trpc.sites.delete.mutationOptions({
      meta: { inline: true },
      onSuccess: async () => {
        setAsking(false)
        toast(`${name} deleted`)
        await navigate({ to: '/o/$tenant/sites', params: { tenant: input.tenant }, replace: true })
        await queryClient.invalidateQueries(trpc.sites.list.pathFilter())
      },
    }),
  )
  return (
    <Panel
      title="Delete this site"
      description="Its keys and hostnames are deleted. Past decisions and usage are kept."
    >
      <Button
        look="danger"
        busy={remove.isPending}
        reason={whyNot('site.delete')}
        onClick={() => {
          remove.reset()
          setAsking(true)
        }}
      >
        Delete site
      </Button>
      <TypeToConfirm
        open={asking}
        onClose={() => setAsking(false)}
        title={`Delete ${name}?`}
        action="Delete site"
        word={name}
        onConfirm={() => remove.mutate({ ...input, confirm: name })}
        busy={remove.isPending}
        error={remove.error}
      >
        Calls with its keys will be refused, open forms can’t be submitted, and grants end. You can’t undo this. To stop
        the site temporarily, pause it.
      </TypeToConfirm>
    </Panel>
  )
}
