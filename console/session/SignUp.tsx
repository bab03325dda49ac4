import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useForm } from 'react-hook-form'
import * as z from 'zod/mini'
import { useHasPasswords, useIsByInvitation } from '../frame/deployment.ts'
import { Button, PageLink } from '../ui/form/Button.tsx'
import { TextField } from '../ui/form/Field.tsx'
import { Form, field } from '../ui/form/Form.tsx'
import { PasswordField } from '../ui/form/PasswordField.tsx'
import { nameShape } from '../ui/form/text.ts'
import { useFieldError } from '../ui/form/useFieldError.ts'
import { ErrorNote } from '../ui/page/ErrorNotice.tsx'
import { Link } from '../ui/text/Link.tsx'
import { auth, PASSWORD_HINT, password, unwrap } from './auth.ts'
import { Card, MailboxNote } from './Card.tsx'
import { useNextInvitation } from './invitations.ts'
import { ProviderButton } from './ProviderButton.tsx'

const route = getRouteApi('/session/sign-up')

const shape = z.object({
  name: nameShape('Enter your name.'),
  email: z.string().check(z.trim(), z.toLowerCase(), z.email('Enter an e-mail address.')),
  password,
})

/** Creates an account. If the address already has one, only an e-mail says so. */
export function SignUp() {
  const { next } = route.useSearch()
  const invitation = useNextInvitation(next)
  const isByInvitation = useIsByInvitation()
  const hasPasswords = useHasPasswords()
  const form = useForm({
    resolver: zodResolver(shape),
    values: { name: '', email: invitation?.email ?? '', password: '' },
    resetOptions: { keepDirtyValues: true },
  })
  const signUp = useMutation({
    meta: { inline: true },
    mutationFn: (input: z.infer<typeof shape>) =>
      unwrap(auth.signUp.email({ ...input, ...(invitation && { invitation: invitation.id }) })),
  })
  const { error } = useFieldError(form, signUp)
  if (!hasPasswords)
    return (
      <Card title="Create an account" description="Your first sign-in creates your account.">
        <ProviderButton next={next} primary />
      </Card>
    )
  if (isByInvitation && !invitation)
    return (
      <Card
        title="Accounts come by invitation"
        description="Open the link in the e-mail of your invitation. If you have none, ask an owner or admin of the tenant that you want to join."
      >
        <PageLink to="/sign-in" search={{ next }}>
          Sign in
        </PageLink>
      </Card>
    )
  if (signUp.isSuccess) return <CheckMail email={signUp.variables.email} next={next} />
  return (
    <Card
      title="Create an account"
      description={
        invitation
          ? `Then you can join ${invitation.tenant.name} as ${invitation.role}.`
          : 'Free up to 1,000 verifications a month.'
      }
      footer={
        <p>
          Already have an account?{' '}
          <Link to="/sign-in" search={{ next }}>
            Sign in
          </Link>
        </p>
      }
    >
      <Form onSubmit={form.handleSubmit((input) => signUp.mutate(input))}>
        <TextField
          label="Name"
          autoComplete="name"
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- signing up is all that the page is for
          autoFocus
          {...field(form, 'name')}
        />
        <TextField
          label="E-mail"
          type="email"
          autoComplete="username"
          readOnly={invitation !== undefined}
          hint={
            invitation
              ? 'The invitation is for this address. We’ll send a link to confirm it.'
              : 'We’ll send a link to confirm it.'
          }
          {...field(form, 'email')}
        />
        <PasswordField label="Password" hint={PASSWORD_HINT} autoComplete="new-password" {...field(form, 'password')} />
        <ErrorNote error={error} />
        <Button type="submit" look="primary" busy={signUp.isPending}>
          Create account
        </Button>
      </Form>
      <ProviderButton next={next} />
    </Card>
  )
}

/** Shown after signing up: asks to open the link in the e-mail. */
function CheckMail({ email, next }: { email: string; next: string | undefined }) {
  const again = useMutation({
    meta: { inline: true },
    mutationFn: () => unwrap(auth.sendVerificationEmail({ email })),
  })
  return (
    <Card
      title="Check your inbox"
      description={`We sent a link to ${email}. Open it in this browser to be signed in.`}
      footer={
        <>
          <p>
            Already confirmed?{' '}
            <Link to="/sign-in" search={{ next }}>
              Sign in
            </Link>
          </p>
          <MailboxNote />
        </>
      }
    >
      <ErrorNote error={again.error} />
      <Button busy={again.isPending} onClick={() => again.mutate()}>
        Send again
      </Button>
      <output className="text-13 text-ink-2">{again.isSuccess && 'Sent again.'}</output>
    </Card>
  )
}
