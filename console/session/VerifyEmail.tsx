import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Button, PageLink } from '../ui/form/Button.tsx'
import { ErrorNote } from '../ui/page/ErrorNotice.tsx'
import { Link } from '../ui/text/Link.tsx'
import { auth, emailInLink, nextInLink, tokenInLink, unwrap } from './auth.ts'
import { Card } from './Card.tsx'
import { useAfterSignIn } from './home.ts'
import { refreshMe } from './me.ts'

const emailHash = (email: string): string => new URLSearchParams({ email }).toString()

/**
 * The page behind the confirmation link. A button confirms, because e-mail scanners open links too. The browser that signed up is
 * signed in by it.
 */
export function VerifyEmail() {
  const [token] = useState(tokenInLink)
  const [next] = useState(nextInLink)
  const [email] = useState(emailInLink)
  const continueToConsole = useAfterSignIn(next)
  const verify = useMutation({
    meta: { inline: true },
    async mutationFn(token: string) {
      await unwrap(auth.verifyEmail({ query: { token } }))
      const me = await refreshMe()
      if (me?.user.email === email) await continueToConsole()
    },
  })
  if (verify.isSuccess) {
    return (
      <Card title="E-mail address confirmed" description="Sign in to continue.">
        <PageLink to="/sign-in" search={{ next }} hash={emailHash(email)} look="primary">
          Sign in
        </PageLink>
      </Card>
    )
  }
  return (
    <Card
      title="Confirm your e-mail address"
      description={
        token === null
          ? 'This link is incomplete. Open the link in the e-mail, or copy all of it.'
          : `Confirm ${email || 'it'} to activate your account.`
      }
      footer={
        <p>
          Link expired?{' '}
          <Link to="/sign-in" search={{ next }} hash={emailHash(email)}>
            Sign in
          </Link>{' '}
          to get a new one.
        </p>
      }
    >
      <ErrorNote error={verify.error} />
      {token !== null && (
        <Button look="primary" busy={verify.isPending} onClick={() => verify.mutate(token)}>
          Confirm
        </Button>
      )}
    </Card>
  )
}
