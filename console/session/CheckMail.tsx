import { useMutation } from '@tanstack/react-query'
import { Button } from '../ui/form/Button.tsx'
import { FailureNote } from '../ui/page/Failure.tsx'
import { Link } from '../ui/text/Link.tsx'
import { answered } from './answered.ts'
import { auth } from './auth.ts'
import { Card } from './Card.tsx'
import { MailboxNote } from './MailboxNote.tsx'

/** Shown after signing up: asks to open the link in the e-mail. */
export function CheckMail({ email }: { email: string }) {
  const again = useMutation({
    meta: { inline: true },
    mutationFn: () => answered(auth.sendVerificationEmail({ email })),
  })
  return (
    <Card
      title="Check your inbox"
      description={`We sent a link to ${email}. Open it, then sign in.`}
      footer={
        <>
          <p>
            Already confirmed? <Link to="/sign-in">Sign in</Link>
          </p>
          <MailboxNote />
        </>
      }
    >
      <FailureNote error={again.error} />
      <Button busy={again.isPending} onClick={() => again.mutate()}>
        Send again
      </Button>
      <output className="text-13 text-ink-2">{again.isSuccess && 'Sent again.'}</output>
    </Card>
  )
}
