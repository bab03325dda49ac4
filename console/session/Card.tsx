import { useQuery } from '@tanstack/react-query'
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
        <div className="mt-6 grid gap-2 border-t border-line pt-4 text-13 text-ink-2 empty:hidden">{footer}</div>
      )}
    </div>
  )
}

/** In an evaluation: where to read e-mail, because none is sent. */
export function MailboxNote() {
  const people = useDemoPeople()
  if (!people) return null
  return people.length > 0 ? (
    <p>
      This evaluation does not send e-mail. <OuterLink href="/dev/mailbox">Open the mailbox</OuterLink>
    </p>
  ) : (
    <p>
      This evaluation does not send e-mail. The link to its mailbox is in <Code>demo.json</Code>; npm start printed
      where that file is.
    </p>
  )
}

/** In an evaluation: where the passwords of the demo accounts are. */
export const DemoPasswords = () => (
  <>
    This is an evaluation. The demo accounts and their passwords are in <Code>demo.json</Code>; npm start printed where
    that file is.
  </>
)

/**
 * The demo accounts of an evaluation. The service names them only to a browser that has opened the mailbox by its link;
 * empty in all others. Undefined while loading, and outside an evaluation.
 */
export function useDemoPeople(): DemoPerson[] | undefined {
  const { data } = useQuery({
    queryKey: ['demo people'],
    queryFn: async ({ signal }) => {
      const reply = await fetch('/dev/mailbox/people', { signal })
      return reply.ok ? ((await reply.json()) as DemoPerson[]) : []
    },
    enabled: useIsEvaluation(),
    staleTime: Number.POSITIVE_INFINITY,
  })
  return data
}

type DemoPerson = { email: string; name: string; role: string; password: string }
