import { useIsEvaluation } from '../frame/overview.ts'
import { Code } from '../ui/text/Code.tsx'
import { OuterLink } from '../ui/text/Link.tsx'

/** In an evaluation: where to read e-mail, because none is sent. */
export function MailboxNote() {
  if (!useIsEvaluation()) return null
  return (
    <p>
      This evaluation does not send e-mail. Read it in the <OuterLink href="/dev/mailbox">mailbox</OuterLink>. The first
      time, open the mailbox with its link in <Code>demo.json</Code> in the data directory.
    </p>
  )
}
