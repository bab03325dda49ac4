import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import * as z from 'zod/mini'
import { FormDialog } from '../ui/form/FormSheet.tsx'
import { PasswordField } from '../ui/form/PasswordField.tsx'

const shape = z.object({ password: z.string().check(z.minLength(1, 'Enter your password.')) })

/** A dialog that takes the password for what it announces. */
export function AskPassword({
  onSubmit,
  ...dialog
}: {
  title: string
  description: string
  submit: string
  busy: boolean
  error: unknown
  onClose: () => void
  onSubmit: (password: string) => void
}) {
  const form = useForm({ resolver: zodResolver(shape), defaultValues: { password: '' } })
  return (
    <FormDialog open {...dialog} onSubmit={form.handleSubmit(({ password }) => onSubmit(password))}>
      <PasswordField
        label="Password"
        autoComplete="current-password"
        error={form.formState.errors.password?.message}
        {...form.register('password')}
      />
    </FormDialog>
  )
}
