import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import * as z from 'zod/mini'
import { Button, PageLink } from '../ui/form/Button.tsx'
import { Form } from '../ui/form/Form.tsx'
import { PasswordField } from '../ui/form/PasswordField.tsx'
import { FailureNote } from '../ui/page/Failure.tsx'
import { Link } from '../ui/text/Link.tsx'
import { answered } from './answered.ts'
import { auth } from './auth.ts'
import { Card } from './Card.tsx'
import { linkToken } from './linkToken.ts'
import { PASSWORD_HINT, password } from './password.ts'

const shape = z.object({ password })

/** The page behind the reset link: sets a new password and ends all sessions. */
export function Reset() {
  const [token] = useState(linkToken)
  const form = useForm({ resolver: zodResolver(shape), defaultValues: { password: '' } })
  const reset = useMutation({
    meta: { inline: true },
    mutationFn: (newPassword: string) => answered(auth.resetPassword({ newPassword, token: token ?? '' })),
  })
  if (reset.isSuccess) {
    return (
      <Card title="Password changed" description="You have been signed out everywhere. Sign in with the new password.">
        <PageLink to="/sign-in" look="primary">
          Sign in
        </PageLink>
      </Card>
    )
  }
  return (
    <Card
      title="Choose a new password"
      description={
        token === null
          ? 'This link is incomplete. Open the link in the e-mail, or copy all of it.'
          : 'You will be signed out everywhere.'
      }
      footer={
        <p>
          Link expired? <Link to="/forgot">Get a new one</Link>
        </p>
      }
    >
      {token !== null && (
        <Form onSubmit={form.handleSubmit(({ password }) => reset.mutate(password))}>
          <PasswordField
            label="New password"
            hint={PASSWORD_HINT}
            autoComplete="new-password"
            error={form.formState.errors.password?.message}
            {...form.register('password')}
          />
          <FailureNote error={reset.error} />
          <Button type="submit" look="primary" busy={reset.isPending}>
            Change password
          </Button>
        </Form>
      )}
    </Card>
  )
}
