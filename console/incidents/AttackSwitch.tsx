import { useMutation } from '@tanstack/react-query'
import type { inferOutput } from '@trpc/tanstack-react-query'
import { type Ref, useState } from 'react'
import { useTenant } from '../frame/useTenant.ts'
import { trpc } from '../trpc.ts'
import { Button } from '../ui/form/Button.tsx'
import { Confirm } from '../ui/overlay/Confirm.tsx'
import { toast } from '../ui/overlay/toast.ts'
import { Notice } from '../ui/page/Notice.tsx'
import { Time } from '../ui/text/Time.tsx'
import { AttackEffect } from './AttackEffect.tsx'
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

/** The button that puts a site into attack mode for an hour, after a question. `target`: gets the button. */
export function StartAttackMode({
  site: { id, name },
  target,
}: {
  site: { id: string; name: string | null }
  target?: Ref<HTMLButtonElement>
}) {
  const { whyNot } = useTenant()
  const [asking, setAsking] = useState(false)
  const { start } = useAttackMode(id, () => setAsking(false))
  return (
    <>
      <Button ref={target} reason={whyNot('settings.write')} onClick={() => setAsking(true)}>
        Start attack mode for 1 hour
      </Button>
      <Confirm
        open={asking}
        onClose={() => setAsking(false)}
        title={`Start attack mode for ${name ?? 'this site'}?`}
        action="Start attack mode"
        onConfirm={start.mutate}
        mutation={start}
      >
        Every visitor waits {ATTACK_WAIT} on average. It ends by itself after an hour. <AttackEffect site={id} />
      </Confirm>
    </>
  )
}

function useAttackMode(site: string, onDone?: () => void) {
  const { slug } = useTenant()
  const set = useMutation(
    trpc.sites.setAttackMode.mutationOptions({
      ...(onDone && { meta: { inline: true } }),
      onSuccess: ({ name, attackUntil }) => {
        onDone?.()
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
    error: set.error,
    mutate: () => set.mutate({ tenant: slug, site, on }),
  })
  return { start: change(true), end: change(false) }
}
