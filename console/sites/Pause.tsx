import { useMutation } from '@tanstack/react-query'
import { useAsked } from '../frame/useAsked.ts'
import { useTenant } from '../frame/useTenant.ts'
import { trpc } from '../trpc.ts'
import { Button } from '../ui/form/Button.tsx'
import { Confirm } from '../ui/overlay/Confirm.tsx'
import { toast } from '../ui/overlay/toast.ts'
import { Panel } from '../ui/page/Page.tsx'
import { Code } from '../ui/text/Snippet.tsx'
import { type Site, useSiteInput } from './api.ts'

const useResume = () =>
  useMutation(
    trpc.sites.resume.mutationOptions({
      onSuccess: ({ name }) => toast(`${name} is live again`),
    }),
  )

/** Resumes the paused site. */
export function ResumeButton() {
  const input = useSiteInput()
  const { whyNot } = useTenant()
  const resume = useResume()
  return (
    <Button busy={resume.isPending} reason={whyNot('site.write')} onClick={() => resume.mutate(input)}>
      Resume
    </Button>
  )
}

/** Pauses the site after a confirmation, and resumes it. */
export function PauseSite({ site: { name, paused } }: { site: Site }) {
  const input = useSiteInput()
  const { whyNot } = useTenant()
  const [confirming, setConfirming] = useAsked('pause')
  const resume = useResume()
  const pause = useMutation(
    trpc.sites.pause.mutationOptions({
      meta: { inline: true },
      onSuccess: ({ name }) => {
        setConfirming(false)
        toast(`${name} paused`, { undo: () => resume.mutate(input) })
      },
    }),
  )
  return (
    <Panel
      title={paused ? 'Resume this site' : 'Pause this site'}
      description="A paused site refuses all calls. Nothing is deleted."
      actions={
        paused ? (
          <ResumeButton />
        ) : (
          <Button
            busy={pause.isPending}
            reason={whyNot('site.write')}
            onClick={() => {
              pause.reset()
              setConfirming(true)
            }}
          >
            Pause site
          </Button>
        )
      }
    >
      <Confirm
        open={confirming && !paused}
        onClose={() => setConfirming(false)}
        title={`Pause ${name}?`}
        action="Pause site"
        onConfirm={() => pause.mutate(input)}
        mutation={pause}
      >
        <p>
          Within 10 seconds all calls are refused with <Code>site-disabled</Code>: new verifications can’t start, and
          open forms can’t be submitted.
        </p>
        <p className="mt-2">Nothing is deleted. Retries of verifications from the last 10 minutes still work.</p>
      </Confirm>
    </Panel>
  )
}
