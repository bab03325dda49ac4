import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import * as z from 'zod/mini'
import { useHasPasswords, useIsByInvitation } from '../frame/deployment.ts'
import { Button } from '../ui/form/Button.tsx'
import { TextField } from '../ui/form/Field.tsx'
import { Form, field } from '../ui/form/Form.tsx'
import { PasswordField } from '../ui/form/PasswordField.tsx'
import { ErrorNote } from '../ui/page/ErrorNotice.tsx'
import { Link, OuterLink } from '../ui/text/Link.tsx'
import { auth, emailInLink, signInByPasskey, unwrap } from './auth.ts'
import { Card, DemoPasswords, useDemoPeople } from './Card.tsx'
import { CodeForm } from './CodeForm.tsx'
import { useAfterSignIn } from './home.ts'
import { useNextInvitation } from './invitations.ts'
import { ProviderButton } from './ProviderButton.tsx'

const route = getRouteApi('/session/sign-in')

const shape = z.object({
  email: z.string().check(z.trim(), z.toLowerCase(), z.minLength(1, 'Enter your e-mail address.')),
  password: z.string().check(z.minLength(1, 'Enter your password.')),
})

/** Signs in by password, then a code if required, or by passkey. */
export function SignIn() {
  const { next } = route.useSearch()
  const navigate = route.useNavigate()
  const [linked] = useState(emailInLink)
  const continueToConsole = useAfterSignIn(next)
  const invitation = useNextInvitation(next)
  const hasPasswords = useHasPasswords()
  const isByInvitation = useIsByInvitation()
  const mayCreate = hasPasswords && (!isByInvitation || invitation !== undefined)
  const form = useForm({
    resolver: zodResolver(shape),
    values: { email: invitation?.email ?? linked, password: '' },
    resetOptions: { keepDirtyValues: true },
  })

  const byPassword = useMutation({
    meta: { inline: true },
    mutationFn: (input: z.infer<typeof shape>) => unwrap(auth.signIn.email(input)),
    onSuccess: async (answer) => {
      if ('twoFactorRedirect' in answer && answer.twoFactorRedirect)
        await navigate({ to: '/two-factor', search: { next } })
      else await continueToConsole()
    },
  })
  const byPasskey = useMutation({
    meta: { inline: true },
    mutationFn: signInByPasskey,
    onSuccess: continueToConsole,
  })
  return (
    <Card
      title="Sign in"
      {...(invitation && { description: `Then you can join ${invitation.tenant.name} as ${invitation.role}.` })}
      footer={
        <>
          {mayCreate && (
            <p>
              New here?{' '}
              <Link to="/sign-up" search={{ next }}>
                Create an account
              </Link>
            </p>
          )}
          {hasPasswords && <DemoAccounts onChoose={(person) => byPassword.mutate(person)} />}
        </>
      }
    >
      {hasPasswords ? (
        <Form
          onSubmit={form.handleSubmit((input) => {
            byPasskey.reset()
            byPassword.mutate(input)
          })}
        >
          <TextField
            label="E-mail"
            type="email"
            autoComplete="username webauthn"
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- signing in is all that the page is for
            autoFocus={linked === ''}
            {...field(form, 'email')}
          />
          <PasswordField
            label="Password"
            autoComplete="current-password"
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- the address is known, so only this is left to type
            autoFocus={linked !== ''}
            {...field(form, 'password')}
          />
          <ErrorNote error={byPassword.error ?? byPasskey.error} />
          <Button type="submit" look="primary" busy={byPassword.isPending}>
            Sign in
          </Button>
        </Form>
      ) : (
        <ErrorNote error={byPasskey.error} />
      )}
      <ProviderButton next={next} primary={!hasPasswords} />
      <Button
        busy={byPasskey.isPending}
        onClick={() => {
          byPassword.reset()
          byPasskey.mutate()
        }}
      >
        <KeyRound size={15} aria-hidden />
        Sign in with a passkey
      </Button>
      {hasPasswords && (
        <p className="text-13">
          <Link to="/forgot">Forgot your password?</Link>
        </p>
      )}
    </Card>
  )
}

/** In an evaluation: a button for each demo account, or where to find their passwords. */
function DemoAccounts({ onChoose }: { onChoose: (person: { email: string; password: string }) => void }) {
  const people = useDemoPeople()
  if (!people) return null
  if (people.length === 0)
    return (
      <p>
        <DemoPasswords /> Open the link to the mailbox in that file once: this page then has a button for each person.
      </p>
    )
  return (
    <>
      <p>
        This is an evaluation. Sign in as one of its people, or open the{' '}
        <OuterLink href="/dev/mailbox">mailbox</OuterLink>.
      </p>
      <div className="flex flex-wrap gap-2">
        {people.map(({ email, password, role }) => (
          <Button key={email} onClick={() => onChoose({ email, password })}>
            {role.replace(/^./, (letter) => letter.toUpperCase())}
          </Button>
        ))}
      </div>
    </>
  )
}

const twoFactorRoute = getRouteApi('/session/two-factor')

/** Asks for the second factor after the password. */
export function TwoFactor() {
  const { next } = twoFactorRoute.useSearch()
  const continueToConsole = useAfterSignIn(next)
  return (
    <Card
      title="Two-factor authentication"
      footer={
        <p>
          Wrong account?{' '}
          <Link to="/sign-in" search={{ next }}>
            Start over
          </Link>
        </p>
      }
    >
      <CodeForm onProved={continueToConsole} />
    </Card>
  )
}
