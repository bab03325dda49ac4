import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation } from '@tanstack/react-query'
import { Flag } from 'lucide-react'
import { useState } from 'react'
import { Controller, useForm } from 'react-hook-form'
import * as z from 'zod/mini'
import { OUTCOMES as FEEDBACK_OUTCOMES } from '../../server/contract/filters.ts'
import { REPORT_RAISES_MS } from '../../server/contract/reports.ts'
import { DocsLink } from '../frame/DocsLink.tsx'
import { useTenant } from '../frame/useTenant.ts'
import { trpc } from '../trpc.ts'
import { Button } from '../ui/form/Button.tsx'
import { TextField } from '../ui/form/Field.tsx'
import { field } from '../ui/form/Form.tsx'
import { FormSheet } from '../ui/form/FormSheet.tsx'
import { RadioGroup } from '../ui/form/RadioGroup.tsx'
import { toast } from '../ui/overlay/toast.ts'
import { elapsed } from '../ui/text/format.ts'
import { toDateInput, useZone, zoneName } from '../ui/text/zone.ts'
import { BusinessType } from './BusinessType.tsx'
import { OUTCOMES, occurredAt } from './words.ts'

/** A decision that can be reported on. `id`: its intent's; `redeemedAt`: Unix seconds; `latest`: its latest revision. */
type Reportable = {
  id: string
  redeemedAt: number
  latest: Latest | undefined
}

type Latest = {
  eventId: string
  revision: number
  outcome: 'confirmed_abuse' | 'legitimate' | 'unknown'
  businessType: string
  /** Unix seconds. */
  occurredAt: number
}

const WINDOW_SECONDS = 7 * 86_400
const MAX_REVISIONS = 20

/** Opens the form for a first report or a correction; disabled with a reason if none is possible. */
export function ReportButton({ decision }: { decision: Reportable }) {
  const { whyNot } = useTenant()
  const [opened, setOpened] = useState(0)
  const [open, setOpen] = useState(false)
  const [now] = useState(() => Date.now() / 1000)
  const reason = whyNot('feedback.report') ?? whyClosed(decision, now)
  return (
    <>
      <Button
        reason={reason}
        onClick={() => {
          setOpened(opened + 1)
          setOpen(true)
        }}
      >
        <Flag size={14} aria-hidden className="max-sm:hidden" />
        {decision.latest ? 'Correct feedback…' : 'Report feedback…'}
      </Button>
      {/* a new form each time, without earlier input and errors */}
      {opened > 0 && <ReportForm key={opened} decision={decision} open={open} onClose={() => setOpen(false)} />}
    </>
  )
}

function whyClosed({ redeemedAt, latest }: Reportable, now: number): string | undefined {
  if (now >= Math.floor(redeemedAt) + WINDOW_SECONDS)
    return 'Feedback is closed: the token was redeemed more than 7 days ago.'
  if ((latest?.revision ?? 0) >= MAX_REVISIONS)
    return 'Feedback is closed: this decision has the maximum of 20 revisions.'
  return undefined
}

const shape = z.object({
  outcome: z.enum(FEEDBACK_OUTCOMES, 'Choose an outcome.'),
  businessType: z
    .string()
    .check(z.trim(), z.regex(/^[A-Za-z0-9_-]{1,64}$/, 'Use 1 to 64 letters, digits, underscores and hyphens.')),
  occurred: z.string().check(z.minLength(1, 'Enter a date and time.')),
})

const CHOICES = {
  confirmed_abuse: { label: OUTCOMES.confirmed_abuse, hint: 'Abuse such as fraud or spam.' },
  legitimate: { label: OUTCOMES.legitimate, hint: 'A real customer or user.' },
  unknown: { label: OUTCOMES.unknown, hint: 'The outcome could not be determined.' },
}

/** The first report of a decision, or a correction of the latest one. */
function ReportForm({
  decision: { id, redeemedAt, latest },
  open,
  onClose,
}: {
  decision: Reportable
  open: boolean
  onClose: () => void
}) {
  const { slug } = useTenant()
  const zone = useZone()
  // a retry of the same event is recognised; after a refusal the values differ, so a new id is needed
  const [event, setEvent] = useState(() => crypto.randomUUID())
  // a correction starts from what is stored
  const [started] = useState(() => latest?.occurredAt ?? Date.now() / 1000)
  const form = useForm<z.infer<typeof shape>>({
    resolver: zodResolver(shape),
    defaultValues: {
      ...(latest && { outcome: latest.outcome }),
      businessType: latest?.businessType ?? '',
      occurred: toDateInput(started, zone),
    },
  })
  const { errors } = form.formState
  const report = useMutation(
    trpc.feedback.report.mutationOptions({
      meta: { inline: true },
      onSuccess: ({ revision }) => {
        toast(revision === 1 ? 'Feedback reported' : `Feedback corrected: revision ${revision}`)
        onClose()
      },
      onError: () => setEvent(crypto.randomUUID()),
    }),
  )
  return (
    <FormSheet
      open={open}
      onClose={onClose}
      title={latest ? 'Correct feedback' : 'Report feedback'}
      description={
        <>
          Confirmed abuse doubles the difficulty for this visitor’s network, and for the subject if your backend sent
          one, at all your sites for about {elapsed(REPORT_RAISES_MS / 1000)}: for others on that network too. More
          reports double it again. The decision itself stays, and nobody is blocked. You and your backend can correct
          the report for 7 days after the token was redeemed.{' '}
          <DocsLink page="feedback#when-another-event-came-first">How corrections work</DocsLink>
        </>
      }
      submit={latest ? `Send as revision ${latest.revision + 1}` : 'Report'}
      mutation={report}
      onSubmit={form.handleSubmit(({ outcome, businessType, occurred }) => {
        const at = occurredAt(occurred, zone, redeemedAt, started)
        if (Number.isNaN(at)) return form.setError('occurred', { message: 'Enter a date and time.' })
        report.mutate({
          tenant: slug,
          decision: id,
          event,
          outcome,
          businessType,
          occurredAt: at,
          ...(latest && { supersedes: latest.eventId }),
        })
      })}
    >
      {latest && <Superseded latest={latest} />}
      <Controller
        control={form.control}
        name="outcome"
        render={({ field: { value, onChange } }) => (
          <div>
            <RadioGroup label="Outcome" value={value} onChange={onChange} options={CHOICES} />
            {errors.outcome && (
              <p role="alert" className="mt-1 text-12 font-medium text-block">
                {errors.outcome.message}
              </p>
            )}
          </div>
        )}
      />
      <TextField
        label="Business type"
        hint="How you found out, such as chargeback or manual_review."
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        mono
        {...field(form, 'businessType')}
      />
      <TextField
        label={`Occurred (${zoneName(zone, redeemedAt)})`}
        hint="Between the redemption and now."
        type="datetime-local"
        min={toDateInput(redeemedAt, zone)}
        {...field(form, 'occurred')}
      />
    </FormSheet>
  )
}

function Superseded({ latest: { revision, outcome, businessType } }: { latest: Latest }) {
  return (
    <p className="rounded-control bg-sunken px-3 py-2 text-13 wrap-anywhere">
      Replaces revision {revision}: {OUTCOMES[outcome]}, <BusinessType is={businessType} />. Revision {revision} stays
      in the history.
    </p>
  )
}
