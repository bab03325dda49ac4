import type { ReactNode } from 'react'
import { useIsEvaluation } from '../frame/deployment.ts'
import { OuterLink } from '../ui/text/Link.tsx'
import { Code } from '../ui/text/Snippet.tsx'

/** A small page: heading, description, form and footer. */
export function Card({
  title,
  description,
  children,
  footer,
}: {
  title: string
  description?: ReactNode
  children: ReactNode
  footer?: ReactNode
}) {
  return (
    <div className="w-full max-w-96">
      <title>{`${title} · Tollgate`}</title>
      <h1 tabIndex={-1} className="text-20 font-semibold tracking-tight outline-none">
        {title}
      </h1>
      {description !== undefined && <p className="mt-1 text-13 text-ink-2">{description}</p>}
      <div className="mt-6 grid gap-4">{children}</div>
      {footer !== undefined && footer !== false && (
        <div className="mt-6 grid gap-2 border-t border-line pt-4 text-13 text-ink-2">{footer}</div>
      )}
    </div>
  )
}

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
