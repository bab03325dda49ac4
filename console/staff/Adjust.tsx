import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import * as z from 'zod/mini'
import { trpc } from '../trpc.ts'
import { Button } from '../ui/form/Button.tsx'
import { TextField } from '../ui/form/Field.tsx'
import { field } from '../ui/form/Form.tsx'
import { FormDialog } from '../ui/form/FormSheet.tsx'
import { toast } from '../ui/overlay/toast.ts'
import { whole } from '../ui/text/format.ts'
import { type TenantDetails } from './api.ts'
import { ReasonField, reasonShape } from './ReasonField.tsx'

const route = getRouteApi('/staff/tenants/$tenant')

/** Accepts digit groups separated by commas, points, underscores or spaces, and any minus sign. */
const parseUnits = (typed: string): number => Number(typed.replaceAll(/[\s,._]/g, '').replace(/^[−–]/, '-'))

const unitsShape = (valid: (units: number) => boolean, message: string) =>
  z.object({
    units: z.string().check(z.refine((typed) => typed.trim() !== '' && valid(parseUnits(typed)), message)),
    reason: reasonShape,
  })

export const quotaShape = unitsShape((units) => Number.isInteger(units) && units >= 0, 'Enter a whole number from 0.')
const balanceShape = unitsShape(
  (units) => Number.isInteger(units) && units !== 0,
  'Enter a whole number other than 0; with a minus to take away.',
)

/** Says that a large change waits for a second lead. */
export function waits(): void {
  toast('Waiting for approval', { description: 'Another lead has to approve this many units, under Approvals.' })
}

type AdjustInput = { units: string; reason: string }

/** Sets the units included each month. */
export function AdjustQuota({ tenant }: { tenant: TenantDetails }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>Set quota…</Button>
      {open && <QuotaDialog tenant={tenant} onClose={() => setOpen(false)} />}
    </>
  )
}

function QuotaDialog({ tenant, onClose }: { tenant: TenantDetails; onClose: () => void }) {
  const { id, name, monthlyQuota } = tenant
  const undo = useUndoQuota(tenant)
  const adjust = useMutation(
    trpc.staff.tenants.adjustQuota.mutationOptions({
      meta: { inline: true },
      onSuccess: (result) => {
        onClose()
        if ('requested' in result) return waits()
        const { before, after, undo: event } = result
        toast(`The quota of ${name} is ${whole(after)} a month`, {
          description: `It was ${whole(before)}.`,
          undo: () => undo.mutate({ tenant: id, event }),
        })
      },
    }),
  )
  return (
    <AdjustDialog
      title={`Quota of ${name}`}
      description="Units a month, from this month on."
      label="Units a month"
      schema={quotaShape}
      initial={String(monthlyQuota)}
      before={monthlyQuota}
      after={(units) => units}
      mutation={adjust}
      submit="Set quota"
      onClose={onClose}
      onSubmit={(units, reason) => adjust.mutate({ tenant: id, units, reason })}
    />
  )
}

/** Adds units to the balance, or subtracts them. The address can ask for it, with the units. */
export function AdjustBalance({ tenant }: { tenant: TenantDetails }) {
  const { topUp } = route.useSearch()
  const navigate = route.useNavigate()
  const [open, setOpen] = useState(false)
  const close = () => {
    setOpen(false)
    if (topUp !== undefined) void navigate({ search: {}, replace: true, resetScroll: false })
  }
  return (
    <>
      {/* a request that waits is answered first */}
      <Button look={tenant.request ? 'secondary' : 'primary'} onClick={() => setOpen(true)}>
        Top up…
      </Button>
      {(open || topUp !== undefined) && <BalanceDialog tenant={tenant} units={topUp} onClose={close} />}
    </>
  )
}

function BalanceDialog({
  tenant,
  units,
  onClose,
}: {
  tenant: TenantDetails
  units: number | undefined
  onClose: () => void
}) {
  const { id, name, health, request } = tenant
  const undo = useUndoBalance(tenant)
  const adjust = useMutation(
    trpc.staff.tenants.adjustBalance.mutationOptions({
      meta: { inline: true },
      onSuccess: (result) => {
        onClose()
        if ('requested' in result) return waits()
        const { before, after, undo: entry } = result
        toast(`The balance of ${name} is ${whole(after)}`, {
          description: `It was ${whole(before)}.`,
          undo: () => undo.mutate({ tenant: id, entry }),
        })
      },
    }),
  )
  return (
    <AdjustDialog
      title={`Balance of ${name}`}
      description="Prepaid units, used once the quota is used up. Entries are never changed; undo adds a counter-entry."
      label="Units to add"
      schema={balanceShape}
      initial={units === undefined ? '' : String(units)}
      {...(request && { unitsHint: 'Once, not every month. Their request still waits for an answer.' })}
      before={health.balance}
      after={(units) => health.balance + units}
      mutation={adjust}
      submit="Add units"
      onClose={onClose}
      onSubmit={(units, reason) => adjust.mutate({ tenant: id, units, reason })}
    />
  )
}

/**
 * Asks for units and a reason. `hint`: who reads it. `unitsHint`: what the units are not for. `reasonFor`: the reason for these
 * units until another one is typed.
 */
export function AdjustDialog({
  title,
  description,
  label,
  schema,
  initial,
  before,
  after,
  mutation,
  submit,
  hint,
  unitsHint,
  reasonFor,
  children,
  onClose,
  onSubmit,
}: {
  title: string
  description: ReactNode
  label: string
  schema: typeof quotaShape
  initial: string
  before: number
  after: (units: number) => number
  mutation: { isPending: boolean; error: unknown }
  submit: string
  hint?: string
  unitsHint?: string
  reasonFor?: (units: number) => string
  children?: ReactNode
  onClose: () => void
  onSubmit: (units: number, reason: string) => void
}) {
  const form = useForm<AdjustInput>({
    resolver: zodResolver(schema),
    defaultValues: { units: initial, reason: reasonFor?.(parseUnits(initial)) ?? '' },
  })
  const typed = parseUnits(useWatch({ control: form.control, name: 'units' }))
  const { resetField } = form
  const isTyped = form.formState.dirtyFields.reason === true
  const proposed = reasonFor?.(typed) ?? ''
  useEffect(() => {
    if (!isTyped) resetField('reason', { defaultValue: proposed })
  }, [isTyped, proposed, resetField])
  return (
    <FormDialog
      open
      onClose={onClose}
      title={title}
      description={description}
      submit={submit}
      mutation={mutation}
      onSubmit={form.handleSubmit(({ units, reason }) => onSubmit(parseUnits(units), reason))}
    >
      {children}
      <TextField label={label} hint={unitsHint} inputMode="numeric" autoComplete="off" {...field(form, 'units')} />
      <ReasonField {...(hint !== undefined && { hint })} {...field(form, 'reason')} />
      <p aria-live="polite" className="rounded-control bg-sunken px-3 py-2 text-13">
        Before <strong>{whole(before)}</strong>, after{' '}
        <strong>{Number.isInteger(typed) ? whole(after(typed)) : '–'}</strong> units
      </p>
    </FormDialog>
  )
}

/** Sets the quota back, as long as no later change was made. */
export const useUndoQuota = ({ name }: TenantDetails) =>
  useMutation(
    trpc.staff.tenants.undoQuota.mutationOptions({
      onSuccess: ({ after }) => toast(`The quota of ${name} is ${whole(after)} a month again`),
    }),
  )

/** Adds the counter-entry of a balance entry. */
export const useUndoBalance = ({ name }: TenantDetails) =>
  useMutation(
    trpc.staff.tenants.undoBalance.mutationOptions({
      onSuccess: ({ after }) => toast(`Undone: the balance of ${name} is ${whole(after)}`),
    }),
  )
