import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import * as z from 'zod/mini'
import { useAsked } from '../frame/useAsked.ts'
import { useTenant } from '../frame/useTenant.ts'
import { trpc } from '../trpc.ts'
import { Button } from '../ui/form/Button.tsx'
import { TextField } from '../ui/form/Field.tsx'
import { field } from '../ui/form/Form.tsx'
import { FormDialog } from '../ui/form/FormSheet.tsx'
import { toast } from '../ui/overlay/toast.ts'
import { whole } from '../ui/text/format.ts'
import { Pill } from '../ui/text/Pill.tsx'
import { Time } from '../ui/text/Time.tsx'
import { type UnitRequest, useUnitRequest } from './api.ts'

const unitsOf = (text: string): number => Number(text.replaceAll(/[\s,.]/g, ''))

/** A request for more than the present units a month. */
const requestShape = (included: number) =>
  z.object({
    units: z
      .string()
      .check(
        z.refine(
          (text) => Number.isInteger(unitsOf(text)) && unitsOf(text) > included,
          `Enter more than the present ${whole(included)}.`,
        ),
      ),
    why: z.string().check(z.trim(), z.minLength(1, 'Say what you need them for.')),
  })

/** Asks staff for more units a month, or changes the request that waits. */
export function RequestUnits() {
  const { slug, whyNot } = useTenant()
  const [open, setOpen] = useAsked('request-units')
  const { data: meter } = useQuery(trpc.usage.meter.queryOptions({ tenant: slug }))
  const latest = useUnitRequest()
  const waiting = latest?.state === 'waiting' ? latest : undefined
  const form = useForm({
    resolver: zodResolver(requestShape(meter?.included ?? 0)),
    mode: 'onTouched',
    // until something is typed, the request that waits
    values: { units: String(waiting?.units ?? ''), why: waiting?.reason ?? '' },
    resetOptions: { keepDirtyValues: true },
  })
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
  const whyNotAsk = whyNot('usage.request')
  return (
    <>
      <Button
        reason={whyNotAsk}
        onClick={() => {
          request.reset()
          form.reset()
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
        onSubmit={form.handleSubmit(({ units, why }) =>
          request.mutate({ tenant: slug, units: unitsOf(units), reason: why }),
        )}
      >
        <TextField
          label="Units a month, in total"
          hint={meter && `Now ${whole(meter.included)}.`}
          inputMode="numeric"
          {...field(form, 'units')}
        />
        <TextField
          label="What for"
          hint="For example a new site. If you need them for a sale only, say until when."
          maxLength={500}
          {...field(form, 'why')}
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
