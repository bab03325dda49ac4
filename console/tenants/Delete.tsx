import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTenant } from '../frame/useTenant.ts'
import { useAfterLeaving } from '../session/home.ts'
import { trpc } from '../trpc.ts'
import { Button } from '../ui/form/Button.tsx'
import { TypeToConfirm } from '../ui/overlay/Confirm.tsx'
import { toast } from '../ui/overlay/toast.ts'
import { Panel } from '../ui/page/Page.tsx'

/** Deletes the tenant after its slug is typed. Requires a recent sign-in. */
export function Delete() {
  const { slug, name, whyNot } = useTenant()
  const [asking, setAsking] = useState(false)
  const depart = useAfterLeaving(slug)
  const remove = useMutation(
    trpc.tenants.delete.mutationOptions({
      meta: { inline: true },
      onSuccess: async () => {
        setAsking(false)
        toast(`${name} deleted`)
        await depart()
      },
    }),
  )
  return (
    <Panel title="Delete this tenant" description="Its sites stop working within 10 seconds. You can’t undo this.">
      <Button
        look="danger"
        busy={remove.isPending}
        reason={whyNot('tenant.delete')}
        onClick={() => {
          remove.reset()
          setAsking(true)
        }}
      >
        Delete tenant…
      </Button>
      <TypeToConfirm
        open={asking}
        onClose={() => setAsking(false)}
        title={`Delete ${name}?`}
        word={slug}
        action="Delete tenant"
        onConfirm={() => remove.mutate({ tenant: slug, confirm: slug })}
        busy={remove.isPending}
        error={remove.error}
      >
        <ul className="grid list-disc gap-1.5 pl-4">
          <li>All sites, keys and hostnames are deleted. Forms that use them can’t be submitted.</li>
          <li>All members lose access, including you. Open invitations are revoked.</li>
          <li>Decisions and billing records are kept as required by law, but not shown in the console.</li>
        </ul>
      </TypeToConfirm>
    </Panel>
  )
}
