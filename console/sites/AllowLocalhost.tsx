import { useMutation } from '@tanstack/react-query'
import { trpc } from '../trpc.ts'
import { Button } from '../ui/form/Button.tsx'
import { toast } from '../ui/overlay/toast.ts'
import { Notice } from '../ui/page/Notice.tsx'

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
      title="The example runs on localhost, which this site does not allow yet"
      action={
        <Button busy={add.isPending} reason={reason} onClick={() => add.mutate({ ...site, hostname: 'localhost' })}>
          Allow localhost
        </Button>
      }
    >
      You can remove it later.
    </Notice>
  )
}
