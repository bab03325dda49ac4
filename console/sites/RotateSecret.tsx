import { useMutation } from '@tanstack/react-query'
import { RefreshCw } from 'lucide-react'
import { useState } from 'react'
import { useAsked } from '../frame/useAsked.ts'
import { useTenant } from '../frame/useTenant.ts'
import { trpc } from '../trpc.ts'
import { Button } from '../ui/form/Button.tsx'
import { FormDialog } from '../ui/form/FormSheet.tsx'
import { RadioGroup } from '../ui/form/RadioGroup.tsx'
import { useSiteInput } from './api.ts'

const OVERLAPS = { now: 0, hour: 3600, day: 86_400, week: 604_800 } as const
type Overlap = keyof typeof OVERLAPS

const OVERLAP_OPTIONS = {
  now: {
    label: 'None',
    hint: 'For a leaked secret. It stops within 10 seconds, and your backend fails until it has the new one.',
  },
  hour: { label: '1 hour', hint: 'You can deploy right away.' },
  day: { label: '24 hours', hint: 'For the next deployment.' },
  week: { label: '7 days', hint: 'For several backends, one after the other.' },
} satisfies Record<Overlap, unknown>

const FULL_FOR_DEVELOPERS =
  'Two secrets are active, so there can be no overlap. Wait until the older one ends, or ask an owner or admin to revoke it.'

/** Creates a new secret and ends the old one, immediately or after an overlap. `onRotated` gets the new secret. */
export function RotateSecret({ liveSecrets, onRotated }: { liveSecrets: number; onRotated: (secret: string) => void }) {
  const input = useSiteInput()
  const { whyNot } = useTenant()
  const [open, setOpen] = useAsked('rotate')
  const [overlap, setOverlap] = useState<Overlap>('day')
  const full = liveSecrets >= 2
  // a rotation without an overlap revokes the other secrets, so it needs that permission
  const mayNotEnd = whyNot('secret.revoke')
  const options = { ...OVERLAP_OPTIONS, now: { ...OVERLAP_OPTIONS.now, ...(mayNotEnd && { reason: mayNotEnd }) } }
  const reason = whyNot('secret.rotate') ?? (full ? mayNotEnd && FULL_FOR_DEVELOPERS : undefined)
  const rotate = useMutation(
    trpc.secrets.rotate.mutationOptions({
      meta: { inline: true },
      // the response contains a secret, so it is not cached
      gcTime: 0,
      onSuccess: ({ secret }) => {
        setOpen(false)
        onRotated(secret)
        rotate.reset()
      },
    }),
  )
  return (
    <>
      <Button
        look={full ? 'secondary' : 'primary'}
        busy={rotate.isPending}
        reason={reason}
        onClick={() => {
          rotate.reset()
          setOpen(true)
        }}
      >
        <RefreshCw size={14} aria-hidden />
        Rotate
      </Button>
      <FormDialog
        open={open && reason === undefined}
        onClose={() => setOpen(false)}
        title="Rotate the secret key"
        description="You get a new secret, shown once. The current secret keeps working for the time you choose."
        submit="Rotate"
        mutation={rotate}
        reason={
          full && overlap !== 'now'
            ? 'Two secrets are active. Revoke one first, or rotate without overlap, which ends both.'
            : undefined
        }
        onSubmit={() => rotate.mutate({ ...input, overlap: OVERLAPS[overlap] })}
      >
        {full && (
          <p className="text-13 font-medium">
            Two secrets are active, so there can be no overlap. Revoke one first, or rotate without overlap: both stop
            within 10 seconds.
          </p>
        )}
        <RadioGroup label="Overlap" value={overlap} onChange={setOverlap} options={options} />
      </FormDialog>
    </>
  )
}
