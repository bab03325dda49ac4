import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import * as z from 'zod/mini'
import { trpc } from '../trpc.ts'
import { Button } from '../ui/form/Button.tsx'
import { TextField } from '../ui/form/Field.tsx'
import { FormDialog } from '../ui/form/FormSheet.tsx'
import { toast } from '../ui/overlay/toast.ts'
import { whole } from '../ui/text/format.ts'
import { Reason, reasonShape } from './Reason.tsx'
import { refreshTenant, type StaffTenantView } from './staffTenant.ts'

/** As people write numbers: with commas, points, blanks or without. */
const read = (typed: string): number => Number(typed.replaceAll(/[\s,._]/g, '').replace(/^[−–]/, '-'))

const shapeOf = (valid: (units: number) => boolean, message: string) =>
  z.object({
    units: z.string().check(z.refine((typed) => typed.trim() !== '' && valid(read(typed)), message)),
    reason: reasonShape,
  })

const quotaShape = shapeOf((units) => Number.isInteger(units) && units >= 0, 'Enter a whole number from 0.')
const balanceShape = shapeOf(
  (units) => Number.isInteger(units) && units !== 0,
  'Enter a whole number other than 0; with a minus to take away.',
)

type Input = { units: string; reason: string }

/** Sets the units included each month. */
export function AdjustQuota({ tenant }: { tenant: StaffTenantView }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>Set quota…</Button>
      {open && <QuotaForm tenant={tenant} onClose={() => setOpen(false)} />}
    </>
  )
}

function QuotaForm({ tenant, onClose }: { tenant: StaffTenantView; onClose: () => void }) {
  const { id, name, monthlyQuota } = tenant
  const undo = useUndoQuota(tenant)
  const adjust = useMutation(
    trpc.staff.tenants.adjustQuota.mutationOptions({
      meta: { inline: true },
      onSuccess: async ({ before, after, undo: event }) => {
        onClose()
        toast(`The quota of ${name} is ${whole(after)} a month`, {
          description: `It was ${whole(before)}.`,
          undo: () => undo.mutate({ tenant: id, event }),
        })
        await refreshTenant()
      },
    }),
  )
  return (
    <AdjustForm
      title={`Quota of ${name}`}
      description="Units included each month, from this month on."
      label="Units a month"
      schema={quotaShape}
      initial={String(monthlyQuota)}
      before={monthlyQuota}
      after={(units) => units}
      busy={adjust.isPending}
      error={adjust.error}
      submit="Set quota"
      onClose={onClose}
      onSend={(units, reason) => adjust.mutate({ tenant: id, units, reason })}
    />
  )
}

/** Adds units to the balance, or takes them away. */
export function AdjustBalance({ tenant }: { tenant: StaffTenantView }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button look="primary" onClick={() => setOpen(true)}>
        Top up…
      </Button>
      {open && <BalanceForm tenant={tenant} onClose={() => setOpen(false)} />}
    </>
  )
}

function BalanceForm({ tenant, onClose }: { tenant: StaffTenantView; onClose: () => void }) {
  const { id, name, health } = tenant
  const undo = useUndoBalance(tenant)
  const adjust = useMutation(
    trpc.staff.tenants.adjustBalance.mutationOptions({
      meta: { inline: true },
      onSuccess: async ({ before, after, undo: entry }) => {
        onClose()
        toast(`The balance of ${name} is ${whole(after)}`, {
          description: `It was ${whole(before)}.`,
          undo: () => undo.mutate({ tenant: id, entry }),
        })
        await refreshTenant()
      },
    }),
  )
  return (
    <AdjustForm
      title={`Balance of ${name}`}
      description="Prepaid units, used once the month’s quota is. An entry is never changed: undo writes a counter-entry."
      label="Units to add"
      schema={balanceShape}
      initial=""
      before={health.balance}
      after={(units) => health.balance + units}
      busy={adjust.isPending}
      error={adjust.error}
      submit="Add units"
      onClose={onClose}
      onSend={(units, reason) => adjust.mutate({ tenant: id, units, reason })}
    />
  )
}

function AdjustForm({
  title,
  description,
  label,
  schema,
  initial,
  before,
  after,
  busy,
  error,
  submit,
  onClose,
  onSend,
}: {
  title: string
  description: ReactNode
  label: string
  schema: typeof quotaShape
  initial: string
  before: number
  after: (units: number) => number
  busy: boolean
  error: unknown
  submit: string
  onClose: () => void
  onSend: (units: number, reason: string) => void
}) {
  const form = useForm<Input>({ resolver: zodResolver(schema), defaultValues: { units: initial, reason: '' } })
  const { errors } = form.formState
  const typed = read(useWatch({ control: form.control, name: 'units' }))
  return (
    <FormDialog
      open
      onClose={onClose}
      title={title}
      description={description}
      submit={submit}
      busy={busy}
      error={error}
      onSubmit={form.handleSubmit(({ units, reason }) => onSend(read(units), reason))}
    >
      <TextField
        label={label}
        inputMode="numeric"
        autoComplete="off"
        error={errors.units?.message}
        {...form.register('units')}
      />
      <Reason error={errors.reason?.message} {...form.register('reason')} />
      <p aria-live="polite" className="rounded-control bg-sunken px-3 py-2 text-13">
        Before <strong>{whole(before)}</strong>, after{' '}
        <strong>{Number.isInteger(typed) ? whole(after(typed)) : '–'}</strong> units
      </p>
    </FormDialog>
  )
}

/** Takes a change of the quota back, while it holds. */
export const useUndoQuota = ({ name }: StaffTenantView) =>
  useMutation(
    trpc.staff.tenants.undoQuota.mutationOptions({
      onSuccess: async ({ after }) => {
        toast(`The quota of ${name} is ${whole(after)} a month again`)
        await refreshTenant()
      },
    }),
  )

/** Writes the counter-entry of an entry. */
export const useUndoBalance = ({ name }: StaffTenantView) =>
  useMutation(
    trpc.staff.tenants.undoBalance.mutationOptions({
      onSuccess: async ({ after }) => {
        toast(`Undone: the balance of ${name} is ${whole(after)}`)
        await refreshTenant()
      },
    }),
  )
