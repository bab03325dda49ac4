import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import * as z from 'zod/mini'
import { answered } from '../session/answered.ts'
import { auth } from '../session/auth.ts'
import { useMe } from '../session/me.ts'
import { PASSWORD_HINT, password } from '../session/password.ts'
import { queryClient, trpc } from '../trpc.ts'
import { Button } from '../ui/form/Button.tsx'
import { Form } from '../ui/form/Form.tsx'
import { PasswordField } from '../ui/form/PasswordField.tsx'
import { toast } from '../ui/overlay/toast.ts'
import { FailureNote } from '../ui/page/Failure.tsx'
import { Panel } from '../ui/page/Page.tsx'

const shape = z.object({
  currentPassword: z.string().check(z.minLength(1, 'Enter your password.')),
  newPassword: password,
})

export function Password() {
  const { user } = useMe()
  const form = useForm({ resolver: zodResolver(shape), defaultValues: { currentPassword: '', newPassword: '' } })
  const { errors } = form.formState
  const changePassword = useMutation({
    meta: { inline: true },
    mutationFn: (input: z.infer<typeof shape>) =>
      answered(auth.changePassword({ ...input, revokeOtherSessions: true })),
    onSuccess: async () => {
      form.reset()
      toast('Password changed', { description: 'You have been signed out of your other sessions.' })
      await queryClient.invalidateQueries(trpc.session.list.pathFilter())
    },
  })
  return (
    <Panel title="Password" description="Changing your password signs you out everywhere else.">
      <Form narrow onSubmit={form.handleSubmit((input) => changePassword.mutate(input))}>
        {/* tells password managers which account this password belongs to */}
        <input type="hidden" name="username" autoComplete="username" value={user.email} readOnly />
        <PasswordField
          label="Current password"
          autoComplete="current-password"
          error={errors.currentPassword?.message}
          {...form.register('currentPassword')}
        />
        <PasswordField
          label="New password"
          hint={PASSWORD_HINT}
          autoComplete="new-password"
          error={errors.newPassword?.message}
          {...form.register('newPassword')}
        />
        <FailureNote error={changePassword.error} />
        <div>
          <Button type="submit" busy={changePassword.isPending}>
            Change password
          </Button>
        </div>
      </Form>
    </Panel>
  )
}
