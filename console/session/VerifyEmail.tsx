import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Button, PageLink } from '../ui/form/Button.tsx'
import { ErrorNote } from '../ui/page/ErrorNotice.tsx'
import { Link } from '../ui/text/Link.tsx'
import { auth, nextInLink, tokenInLink, unwrap } from './auth.ts'
import { Card } from './Card.tsx'

/** The page behind the confirmation link. A button confirms, because e-mail scanners open links too. */
export function VerifyEmail() {
  const [token] = useState(tokenInLink)
  const [next] = useState(nextInLink)
  const verify = useMutation({
    meta: { inline: true },
    mutationFn: (token: string) => unwrap(auth.verifyEmail({ query: { token } })),
  })
  if (verify.isSuccess) {
    return (
      <Card title="E-mail address confirmed" description="Sign in to continue.">
        <PageLink to="/sign-in" search={{ next }} look="primary">
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
          : 'Confirm to activate your account.'
      }
      footer={
        <p>
          Link expired?{' '}
          <Link to="/sign-in" search={{ next }}>
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
