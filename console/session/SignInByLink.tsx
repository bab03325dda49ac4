import { useMutation } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { Button } from '../ui/form/Button.tsx'
import { TextField } from '../ui/form/Field.tsx'
import { Form, field } from '../ui/form/Form.tsx'
import { ErrorNote } from '../ui/page/ErrorNotice.tsx'
import { signInByLink } from './auth.ts'
import { Card } from './Card.tsx'

/** The page behind the link of the command line, in a deployment without passwords. */
export function SignInByLink({ token }: { token: string | null }) {
  const form = useForm({ defaultValues: { code: '' } })
  const signIn = useMutation({
    meta: { inline: true },
    mutationFn: ({ code }: { code: string }) => signInByLink(token ?? '', code.replaceAll(' ', '')),
    onSuccess: () => location.assign('/account'),
  })
  return (
    <Card
      title="Sign in with this link"
      description={
        token === null
          ? 'This link is incomplete. Copy all of it.'
          : 'It works once. Then create a passkey, with which you can sign in again.'
      }
    >
      {token !== null && (
        <Form onSubmit={form.handleSubmit((input) => signIn.mutate(input))}>
          <TextField
            label="Code"
            hint="From your authenticator app, if your account has one."
            mono
            autoComplete="one-time-code"
            {...field(form, 'code')}
          />
          <ErrorNote error={signIn.error} />
          <Button type="submit" look="primary" busy={signIn.isPending}>
            Sign in
          </Button>
        </Form>
      )}
    </Card>
  )
}
