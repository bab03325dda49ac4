import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import * as z from 'zod/mini'
import { useHasPasswords } from '../frame/deployment.ts'
import { Button, PageLink } from '../ui/form/Button.tsx'
import { TextField } from '../ui/form/Field.tsx'
import { Form, field } from '../ui/form/Form.tsx'
import { PasswordField } from '../ui/form/PasswordField.tsx'
import { useFieldError } from '../ui/form/useFieldError.ts'
import { ErrorNote } from '../ui/page/ErrorNotice.tsx'
import { Link } from '../ui/text/Link.tsx'
import { auth, PASSWORD_HINT, password, tokenInLink, unwrap } from './auth.ts'
import { Card, MailboxNote } from './Card.tsx'
import { SignInByLink } from './SignInByLink.tsx'

const forgotShape = z.object({
  email: z.string().check(z.trim(), z.toLowerCase(), z.email('Enter an e-mail address.')),
})

/** Requests a password reset link. The response is the same whether or not the address has an account. */
export function Forgot() {
  const form = useForm({ resolver: zodResolver(forgotShape), defaultValues: { email: '' } })
  const request = useMutation({
    meta: { inline: true },
    mutationFn: (input: z.infer<typeof forgotShape>) => unwrap(auth.requestPasswordReset(input)),
  })
  const back = (
    <p>
      <Link to="/sign-in">Back to sign-in</Link>
    </p>
  )
  if (request.isSuccess) {
    return (
      <Card
        title="Check your inbox"
        description={`If ${request.variables.email} has an account, we sent a link to reset the password. It works once, within one hour.`}
      >
        <div className="grid gap-2 text-13 text-ink-2">
          {back}
          <MailboxNote />
        </div>
      </Card>
    )
  }
  return (
    <Card title="Forgot your password?" description="We’ll send you a link to choose a new one." footer={back}>
      <Form onSubmit={form.handleSubmit((input) => request.mutate(input))}>
        <TextField label="E-mail" type="email" autoComplete="username" {...field(form, 'email')} />
        <ErrorNote error={request.error} />
        <Button type="submit" look="primary" busy={request.isPending}>
          Send link
        </Button>
      </Form>
    </Card>
  )
}

const resetShape = z.object({ newPassword: password })

/** The page behind the link of the command line or of a reset. */
export function Reset() {
  const [token] = useState(tokenInLink)
  return useHasPasswords() ? <NewPassword token={token} /> : <SignInByLink token={token} />
}

/** Sets a new password and ends all sessions. */
function NewPassword({ token }: { token: string | null }) {
  const form = useForm({ resolver: zodResolver(resetShape), defaultValues: { newPassword: '' } })
  const reset = useMutation({
    meta: { inline: true },
    mutationFn: (newPassword: string) => unwrap(auth.resetPassword({ newPassword, token: token ?? '' })),
  })
  const { error } = useFieldError(form, reset)
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
        <Form onSubmit={form.handleSubmit(({ newPassword }) => reset.mutate(newPassword))}>
          <PasswordField
            label="New password"
            hint={PASSWORD_HINT}
            autoComplete="new-password"
            {...field(form, 'newPassword')}
          />
          <ErrorNote error={error} />
          <Button type="submit" look="primary" busy={reset.isPending}>
            Change password
          </Button>
        </Form>
      )}
    </Card>
  )
}
