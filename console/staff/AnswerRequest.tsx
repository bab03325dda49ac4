import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import * as z from 'zod/mini'
import { trpc } from '../trpc.ts'
import { Button } from '../ui/form/Button.tsx'
import { field } from '../ui/form/Form.tsx'
import { FormDialog } from '../ui/form/FormSheet.tsx'
import { toast } from '../ui/overlay/toast.ts'
import { whole } from '../ui/text/format.ts'
import { Link } from '../ui/text/Link.tsx'
import { AdjustDialog, quotaShape, waits } from './Adjust.tsx'
import type { QuotaRequest } from './api.ts'
import { ReasonField, reasonShape } from './ReasonField.tsx'

const UNITS_HINT = 'Every month from now on.'
const HINT = 'E-mailed to the tenant, and shown in its Usage and audit log.'

/**
 * The buttons that answer a tenant's request for units, and a link that tops up what it lacks in one month. `look`: of the
 * approval.
 */
export function AnswerRequest({
  request,
  look = 'secondary',
}: {
  request: QuotaRequest
  look?: 'primary' | 'secondary'
}) {
  const [open, setOpen] = useState<'approve' | 'decline' | null>(null)
  const { tenant, needsLead, units, now } = request
  const reason = needsLead ? 'Its approval waits for another lead, who has to decide first.' : undefined
  const close = () => setOpen(null)
  return (
    <span className="inline-flex flex-wrap justify-end gap-2">
      <Button
        size="small"
        look={look}
        reason={reason}
        aria-label={`Approve the request of ${tenant.name}`}
        onClick={() => setOpen('approve')}
      >
        Approve…
      </Button>
      <Button
        size="small"
        reason={reason}
        aria-label={`Decline the request of ${tenant.name}`}
        onClick={() => setOpen('decline')}
      >
        Decline…
      </Button>
      {units > now && (
        <span className="inline-flex min-h-7 items-center text-12">
          <Link to="/staff/tenants/$tenant" params={{ tenant: tenant.id }} search={{ topUp: units - now }}>
            Top up instead…<span className="sr-only"> {tenant.name}</span>
          </Link>
        </span>
      )}
      {open === 'approve' && <ApproveDialog request={request} onClose={close} />}
      {open === 'decline' && <DeclineDialog request={request} onClose={close} />}
    </span>
  )
}

type DialogProps = { request: QuotaRequest; onClose: () => void }

function ApproveDialog({ request: { id, tenant, units, now, reason, asker }, onClose }: DialogProps) {
  const approve = useMutation(
    trpc.staff.quotaRequests.approve.mutationOptions({
      meta: { inline: true },
      onSuccess: (result) => {
        onClose()
        if ('requested' in result) return waits()
        toast(`Approved: ${tenant.name} has ${whole(result.after)} units a month`)
      },
    }),
  )
  return (
    <AdjustDialog
      title={`Approve the request of ${tenant.name}`}
      description={`${asker} asks for ${whole(units)} units a month.`}
      label="Units a month"
      schema={quotaShape}
      initial={String(units)}
      before={now}
      after={(units) => units}
      mutation={approve}
      submit="Approve"
      hint={HINT}
      unitsHint={UNITS_HINT}
      reasonFor={(approved) =>
        approved === units
          ? 'Approved as requested'
          : `Approved: ${Number.isInteger(approved) ? whole(approved) : '–'} units a month`
      }
      onClose={onClose}
      onSubmit={(units, answer) => approve.mutate({ id, units, answer })}
    >
      {/* an end date in it is seen beside “every month” */}
      <figure className="rounded-control bg-sunken px-3 py-2 text-13">
        <figcaption className="text-12 text-ink-2">What for</figcaption>
        <blockquote className="whitespace-pre-line wrap-anywhere">{reason}</blockquote>
      </figure>
    </AdjustDialog>
  )
}

function DeclineDialog({ request: { id, tenant, units, reason }, onClose }: DialogProps) {
  const form = useForm({ resolver: zodResolver(z.object({ answer: reasonShape })), defaultValues: { answer: '' } })
  const decline = useMutation(
    trpc.staff.quotaRequests.decline.mutationOptions({
      meta: { inline: true },
      onSuccess: () => {
        onClose()
        toast(`Declined: ${tenant.name} reads your reason`)
      },
    }),
  )
  return (
    <FormDialog
      open
      onClose={onClose}
      title={`Decline the request of ${tenant.name}`}
      description={`${whole(units)} units a month: “${reason}”`}
      submit="Decline"
      danger
      mutation={decline}
      onSubmit={form.handleSubmit(({ answer }) => decline.mutate({ id, answer }))}
    >
      <ReasonField hint={HINT} {...field(form, 'answer')} />
    </FormDialog>
  )
}
