import { useQuery } from '@tanstack/react-query'
import { trpc } from '../trpc.ts'
import { OuterLink } from '../ui/Link.tsx'

/** In an evaluation: mail goes nowhere but here. */
export function MailboxNote() {
  const { data } = useQuery(trpc.system.overview.queryOptions(undefined, { staleTime: Number.POSITIVE_INFINITY }))
  if (data?.mode !== 'evaluation') return null
  return (
    <p>
      In this evaluation mail is not sent but shown in the <OuterLink href="/dev/mailbox">mailbox</OuterLink>.
    </p>
  )
}
