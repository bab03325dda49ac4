import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useAsked } from '../frame/useAsked.ts'
import { useTenant } from '../frame/useTenant.ts'
import { trpc } from '../trpc.ts'
import { Button } from '../ui/form/Button.tsx'
import { TextField } from '../ui/form/Field.tsx'
import { FormDialog } from '../ui/form/FormSheet.tsx'
import { toast } from '../ui/overlay/toast.ts'
import { whole } from '../ui/text/format.ts'
import { Pill } from '../ui/text/Pill.tsx'
import { Time } from '../ui/text/Time.tsx'
import { type UnitRequest, useUnitRequest } from './api.ts'

/** Asks staff for more units a month, or changes the request that waits. */
export function RequestUnits() {
  const { slug, whyNot } = useTenant()
  const [open, setOpen] = useAsked('request-units')
  /** What was typed; until then the request that waits is shown. */
  const [typed, setTyped] = useState<{ units?: string; why?: string }>({})
  const { data: meter } = useQuery(trpc.usage.meter.queryOptions({ tenant: slug }))
  const latest = useUnitRequest()
  const waiting = latest?.state === 'waiting' ? latest : undefined
  const request = useMutation(
    trpc.usage.requestUnits.mutationOptions({
      meta: { inline: true },
      onSuccess: () => {
        setOpen(false)
        toast(waiting ? 'Request changed' : 'Request sent', {
          description: 'The answer appears here, and is e-mailed.',
        })
      },
    }),
  )
  const units = typed.units ?? String(waiting?.units ?? '')
  const why = typed.why ?? waiting?.reason ?? ''
  const wanted = Number(units)
  const included = meter?.included ?? 0
  const whyNotAsk = whyNot('usage.request')
  const reason = !(Number.isInteger(wanted) && wanted > included)
    ? `Enter more than the ${whole(included)} units a month that you have.`
    : why.trim() === ''
      ? 'Say what you need them for.'
      : undefined
  return (
    <>
      <Button
        reason={whyNotAsk}
        onClick={() => {
          request.reset()
          setTyped({})
          setOpen(true)
        }}
      >
        {waiting ? 'Change request' : 'Request more'}
      </Button>
      <FormDialog
        open={open && whyNotAsk === undefined}
        onClose={() => setOpen(false)}
        title={waiting ? 'Change your request' : 'Request more units'}
        description="Goes to the people who operate this deployment."
        submit={waiting ? 'Change request' : 'Send request'}
        mutation={request}
        reason={reason}
        onSubmit={() => request.mutate({ tenant: slug, units: wanted, reason: why.trim() })}
      >
        <TextField
          label="Units a month, in total"
          hint={meter && `Now ${whole(meter.included)}.`}
          inputMode="numeric"
          value={units}
          onChange={({ target }) => setTyped({ ...typed, units: target.value.replaceAll(/[\s,.]/g, '') })}
        />
        <TextField
          label="What for"
          hint="For example a new site. If you need them for a sale only, say until when."
          maxLength={500}
          value={why}
          onChange={({ target }) => setTyped({ ...typed, why: target.value })}
        />
      </FormDialog>
    </>
  )
}

const STATES = {
  waiting: <Pill tone="info">Waiting</Pill>,
  approved: <Pill tone="pass">Approved</Pill>,
  declined: <Pill tone="block">Declined</Pill>,
} satisfies Record<UnitRequest['state'], unknown>

const ANSWER_SHOWN_SECONDS = 30 * 86_400

/** What became of the latest request. An answer is shown for 30 days. */
export function RequestState({ request: { units, reason, createdAt, state, answer } }: { request: UnitRequest }) {
  const [now] = useState(() => Date.now() / 1000)
  if (answer && answer.at < now - ANSWER_SHOWN_SECONDS) return null
  return (
    <section aria-label="Your request for units" className="mt-3 border-t border-line pt-3 text-13">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <strong>Requested {whole(units)} units a month</strong>
        {STATES[state]}
        <span className="text-ink-2">
          <Time at={createdAt} as="zoned" />, “{reason}”
        </span>
      </p>
      {answer && (
        <p className="mt-1">
          {answer.granted !== null && `${whole(answer.granted)} units a month. `}“{answer.text}”{' '}
          <span className="text-ink-2">
            <Time at={answer.at} as="zoned" />
          </span>
        </p>
      )}
    </section>
  )
}
