import { useMutation } from '@tanstack/react-query'
import { trpc } from '../trpc.ts'
import { Button } from '../ui/form/Button.tsx'
import { toast } from '../ui/overlay/toast.ts'
import { Notice } from '../ui/page/Notice.tsx'
import { Code } from '../ui/text/Snippet.tsx'

/** The program of the quick start runs on localhost, which a site for production may not allow. */
export function AllowLocalhost({
  site,
  reason,
}: {
  site: { tenant: string; site: string }
  /** Why the person may not. */
  reason?: string | undefined
}) {
  const add = useMutation(trpc.hostnames.add.mutationOptions({ onSuccess: () => toast('localhost added') }))
  return (
    <Notice
      tone="info"
      title="localhost is not allowed yet"
      action={
        <Button busy={add.isPending} reason={reason} onClick={() => add.mutate({ ...site, hostname: 'localhost' })}>
          Allow localhost
        </Button>
      }
    >
      The form runs on your computer first. It can also be a site of its own, with <Code>localhost</Code> only.
    </Notice>
  )
}
