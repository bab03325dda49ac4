import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTenant } from '../frame/useTenant.ts'
import { useAfterLeaving } from '../session/home.ts'
import { trpc } from '../trpc.ts'
import { Button } from '../ui/form/Button.tsx'
import { FormDialog } from '../ui/form/FormSheet.tsx'
import { toast } from '../ui/overlay/toast.ts'
import type { Member } from './Members.tsx'

/** The button that ends one's own membership. */
export function Leave({ member }: { member: Member }) {
  const { slug, name } = useTenant()
  const [asking, setAsking] = useState(false)
  const depart = useAfterLeaving(slug)
  const leave = useMutation(
    trpc.members.leave.mutationOptions({
      meta: { inline: true },
      onSuccess: async () => {
        toast(`You left ${name}`)
        await depart()
      },
    }),
  )
  return (
    <>
      <Button
        size="small"
        onClick={() => setAsking(true)}
        reason={member.lastOwner ? 'You are the last owner. Transfer ownership to another member first.' : undefined}
      >
        Leave
      </Button>
      <FormDialog
        open={asking}
        onClose={() => setAsking(false)}
        title={`Leave ${name}?`}
        submit="Leave"
        danger
        busy={leave.isPending}
        error={leave.error}
        onSubmit={(event) => {
          event.preventDefault()
          leave.mutate({ tenant: slug })
        }}
      >
        <p className="text-13 text-ink-2">
          You’ll lose access immediately and need a new invitation to return. What you created stays.
        </p>
      </FormDialog>
    </>
  )
}
