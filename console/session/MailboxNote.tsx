import { useIsEvaluation } from '../frame/overview.ts'
import { OuterLink } from '../ui/Link.tsx'

/** In an evaluation: mail goes nowhere but here. */
export function MailboxNote() {
  if (!useIsEvaluation()) return null
  return (
    <p>
      In this evaluation mail is not sent but shown in the <OuterLink href="/dev/mailbox">mailbox</OuterLink>.
    </p>
  )
}
