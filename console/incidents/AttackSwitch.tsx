import { useMutation } from '@tanstack/react-query'
import type { inferOutput } from '@trpc/tanstack-react-query'
import { WORK_BOUNDS } from '../../server/contract/sitePolicy.ts'
import { useTenant } from '../frame/useTenant.ts'
import { trpc } from '../trpc.ts'
import { Button } from '../ui/form/Button.tsx'
import { toast } from '../ui/overlay/toast.ts'
import { Notice } from '../ui/page/Notice.tsx'
import { Time } from '../ui/text/Time.tsx'
import { waitOf } from './words.ts'

type Attack = inferOutput<typeof trpc.tenants.summary>['ongoing']['attacks'][number]

/** Says until when a site is in attack mode, with a button that ends it. */
export function AttackNotice({ site, name, until }: Attack) {
  const { whyNot } = useTenant()
  const { end } = useAttackMode(site)
  return (
    <Notice
      tone="block"
      title={`Attack mode is on for ${name}`}
      action={
        <Button busy={end.isPending} reason={whyNot('settings.write')} onClick={() => end.mutate()}>
          End attack mode
        </Button>
      }
    >
      Every visitor gets the maximum difficulty: {waitOf(WORK_BOUNDS.max)} on average, and up to three times that in
      busy networks. It ends by itself (
      <Time at={until} as="zoned" />
      ). Then the policy of the site applies again.
    </Notice>
  )
}

/** The button that puts a site into attack mode for an hour. */
export function StartAttackMode({ site }: { site: string }) {
  const { whyNot } = useTenant()
  const { start } = useAttackMode(site)
  return (
    <Button
      busy={start.isPending}
      reason={whyNot('settings.write')}
      title={`Maximum difficulty for every visitor: ${waitOf(WORK_BOUNDS.max)} on average. It ends by itself.`}
      onClick={() => start.mutate()}
    >
      Attack mode for an hour
    </Button>
  )
}

function useAttackMode(site: string) {
  const { slug } = useTenant()
  const set = useMutation(
    trpc.sites.setAttackMode.mutationOptions({
      onSuccess: ({ name, attackUntil }) => {
        const on = attackUntil !== null
        toast(on ? `Attack mode is on for ${name}` : `Attack mode has ended for ${name}`, {
          description: on
            ? 'It takes effect within 10 seconds and ends in an hour.'
            : 'It takes effect within 10 seconds.',
        })
      },
    }),
  )
  const change = (on: boolean) => ({
    isPending: set.isPending,
    mutate: () => set.mutate({ tenant: slug, site, on }),
  })
  return { start: change(true), end: change(false) }
}
