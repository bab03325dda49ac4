import { useIsEvaluation } from '../frame/overview.ts'
import { Code } from '../ui/Code.tsx'
import { OuterLink } from '../ui/Link.tsx'

/** In an evaluation: where mail can be read, which is not sent. */
export function MailboxNote() {
  if (!useIsEvaluation()) return null
  return (
    <p>
      This evaluation does not send mail: read it in the <OuterLink href="/dev/mailbox">mailbox</OuterLink>. Open the
      mailbox once by its link in <Code>demo.json</Code>, in the data directory.
    </p>
  )
}
