import { useMutation } from '@tanstack/react-query'
import { Pause, Play } from 'lucide-react'
import { useState } from 'react'
import { useTenant } from '../frame/useTenant.ts'
import { trpc } from '../trpc.ts'
import { Button } from '../ui/form/Button.tsx'
import { Confirm } from '../ui/overlay/Confirm.tsx'
import { toast } from '../ui/overlay/toast.ts'
import { Code } from '../ui/text/Snippet.tsx'
import { refreshSites, type Site, useSiteInput } from './useSite.ts'

/** Pauses the site after a confirmation, and resumes it. */
export function PauseSite({ site }: { site: Site | undefined }) {
  const input = useSiteInput()
  const { whyNot } = useTenant()
  const [asking, setAsking] = useState(false)
  const pause = useMutation(
    trpc.sites.pause.mutationOptions({
      meta: { inline: true },
      onSuccess: async ({ name }) => {
        setAsking(false)
        toast(`${name} paused`, { undo: () => resume.mutate(input) })
        await refreshSites()
      },
    }),
  )
  const resume = useMutation(
    trpc.sites.resume.mutationOptions({
      onSuccess: async ({ name }) => {
        toast(`${name} is live again`)
        await refreshSites()
      },
    }),
  )
  const reason = whyNot('site.write')
  return (
    <>
      {site?.paused ? (
        <Button busy={resume.isPending} reason={reason} onClick={() => resume.mutate(input)}>
          <Play size={14} aria-hidden />
          Resume
        </Button>
      ) : (
        <Button
          busy={pause.isPending}
          reason={site ? reason : 'The site is still loading.'}
          onClick={() => {
            pause.reset()
            setAsking(true)
          }}
        >
          <Pause size={14} aria-hidden />
          Pause
        </Button>
      )}
      <Confirm
        open={asking}
        onClose={() => setAsking(false)}
        title={`Pause ${site?.name ?? 'the site'}?`}
        action="Pause site"
        onConfirm={() => pause.mutate(input)}
        busy={pause.isPending}
        error={pause.error}
      >
        <p>
          Within 10 seconds all calls are refused with <Code>site-disabled</Code>: new verifications can’t start, and
          open forms can’t be submitted.
        </p>
        <p className="mt-2">Nothing is deleted. Retries of verifications from the last 10 minutes still work.</p>
      </Confirm>
    </>
  )
}
