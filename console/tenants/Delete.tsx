import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTenant } from '../frame/useTenant.ts'
import { useDepart } from '../session/useDepart.ts'
import { trpc } from '../trpc.ts'
import { Button } from '../ui/Button.tsx'
import { TypeToConfirm } from '../ui/Confirm.tsx'
import { Panel } from '../ui/Page.tsx'
import { toast } from '../ui/toast.ts'

/** The end of the tenant, by typing its slug. Takes a fresh sign-in. */
export function Delete() {
  const { slug, name, whyNot } = useTenant()
  const [asking, setAsking] = useState(false)
  const depart = useDepart(slug)
  const remove = useMutation(
    trpc.tenants.delete.mutationOptions({
      onSuccess: async () => {
        toast(`${name} is deleted`)
        await depart()
      },
    }),
  )
  return (
    <Panel
      title="Delete this tenant"
      description="Its sites stop verifying at once, everywhere within 10 s. This cannot be undone."
    >
      <Button look="danger" busy={remove.isPending} reason={whyNot('tenant.delete')} onClick={() => setAsking(true)}>
        Delete tenant…
      </Button>
      <TypeToConfirm
        open={asking}
        onClose={() => setAsking(false)}
        title={`Delete ${name}?`}
        word={slug}
        action="Delete tenant"
        onConfirm={() => remove.mutate({ tenant: slug, confirm: slug })}
      >
        <ul className="grid list-disc gap-1.5 pl-4">
          <li>Every site, site key, secret and hostname is gone: forms that use them cannot be submitted.</li>
          <li>Every member is out, you too. Open invitations are void.</li>
          <li>What was decided and billed stays with us, as the law wants; nobody can see it in the console.</li>
        </ul>
      </TypeToConfirm>
    </Panel>
  )
}
