import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation } from '@tanstack/react-query'
import { Controller, useForm } from 'react-hook-form'
import * as z from 'zod/mini'
import { ROLES } from '../../server/contract/permissions.ts'
import { useTenant } from '../frame/useTenant.ts'
import { queryClient, trpc } from '../trpc.ts'
import { TextField } from '../ui/form/Field.tsx'
import { FormSheet } from '../ui/form/FormSheet.tsx'
import { RadioGroup } from '../ui/form/RadioGroup.tsx'
import { toast } from '../ui/overlay/toast.ts'
import { roleOptions } from './roleOptions.ts'

const shape = z.object({
  email: z.string().check(z.trim(), z.toLowerCase(), z.email('Enter an e-mail address.')),
  role: z.enum(ROLES),
})

/** The form that invites a person with a role. */
export function Invite({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { slug, name, role } = useTenant()
  const form = useForm<z.infer<typeof shape>>({
    resolver: zodResolver(shape),
    defaultValues: { email: '', role: 'developer' },
  })
  const invite = useMutation(
    trpc.members.invite.mutationOptions({
      meta: { inline: true },
      onSuccess: async ({ email }) => {
        toast(`Invited ${email}`, { description: 'The invitation expires in 72 hours.' })
        form.reset()
        onClose()
        await queryClient.invalidateQueries(trpc.members.invitations.pathFilter())
      },
    }),
  )
  const close = () => {
    invite.reset()
    onClose()
  }
  return (
    <FormSheet
      open={open}
      onClose={close}
      title={`Invite to ${name}`}
      description="They receive an e-mail with a link, and join after signing in with that address."
      submit="Send invitation"
      busy={invite.isPending}
      error={invite.error}
      onSubmit={form.handleSubmit((input) => invite.mutate({ tenant: slug, ...input }))}
    >
      <TextField
        label="E-mail"
        type="email"
        autoComplete="off"
        error={form.formState.errors.email?.message}
        {...form.register('email')}
      />
      <Controller
        control={form.control}
        name="role"
        render={({ field: { value, onChange } }) => (
          <RadioGroup label="Role" value={value} onChange={onChange} options={roleOptions(role)} />
        )}
      />
    </FormSheet>
  )
}
