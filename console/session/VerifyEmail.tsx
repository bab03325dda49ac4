import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Button, PageLink } from '../ui/Button.tsx'
import { FailureNote } from '../ui/Failure.tsx'
import { Link } from '../ui/Link.tsx'
import { answered } from './answered.ts'
import { auth } from './auth.ts'
import { Card } from './Card.tsx'
import { linkToken } from './linkToken.ts'

/** The link of the mail. A button uses it, not the visit: mail scanners open links too. */
export function VerifyEmail() {
  const [token] = useState(linkToken)
  const verify = useMutation({
    meta: { inline: true },
    mutationFn: (token: string) => answered(auth.verifyEmail({ query: { token } })),
  })
  if (verify.isSuccess) {
    return (
      <Card title="Your address is confirmed" description="Sign in to begin.">
        <PageLink to="/sign-in" look="primary">
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
          ? 'The link is not whole: open the one in the mail, or copy all of it.'
          : 'One click, and your account is ready.'
      }
      footer={
        <p>
          The link is too old? <Link to="/sign-in">Sign in</Link>, and we send a new one.
        </p>
      }
    >
      <FailureNote error={verify.error} />
      {token !== null && (
        <Button look="primary" busy={verify.isPending} onClick={() => verify.mutate(token)}>
          Confirm
        </Button>
      )}
    </Card>
  )
}
