import { useMutation } from '@tanstack/react-query'
import type { inferOutput } from '@trpc/tanstack-react-query'
import type { Ref } from 'react'
import { useTenant } from '../frame/useTenant.ts'
import { trpc } from '../trpc.ts'
import { Button } from '../ui/form/Button.tsx'
import { toast } from '../ui/overlay/toast.ts'
import { Notice } from '../ui/page/Notice.tsx'
import { Time } from '../ui/text/Time.tsx'
import { ATTACK_WAIT, MOST_WAIT } from './words.ts'

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
      Every visitor waits {ATTACK_WAIT} on average, and up to {MOST_WAIT} in busy networks. It ends by itself on{' '}
      <Time at={until} as="zoned" />.
    </Notice>
  )
}

/** The button that puts a site into attack mode for an hour. `target`: gets the button. */
export function StartAttackMode({ site, target }: { site: string; target?: Ref<HTMLButtonElement> }) {
  const { whyNot } = useTenant()
  const { start } = useAttackMode(site)
  return (
    <Button
      ref={target}
      busy={start.isPending}
      reason={whyNot('settings.write')}
      title={`Every visitor waits ${ATTACK_WAIT} on average. It ends by itself after an hour.`}
      onClick={() => start.mutate()}
    >
      Start attack mode for 1 hour
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
