import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import * as z from 'zod/mini'
import { useMe } from '../session/me.ts'
import { trpc } from '../trpc.ts'
import { Button } from '../ui/form/Button.tsx'
import { TextField } from '../ui/form/Field.tsx'
import { field } from '../ui/form/Form.tsx'
import { FormDialog } from '../ui/form/FormSheet.tsx'
import { toast } from '../ui/overlay/toast.ts'
import { ErrorNote } from '../ui/page/ErrorNotice.tsx'
import { Skeleton } from '../ui/page/Page.tsx'
import { Fact, Facts } from '../ui/table/Facts.tsx'
import { counted, whole } from '../ui/text/format.ts'
import { type TenantDetails } from './api.ts'
import { hasStaffLevel } from './nav.ts'
import { ReasonField, reasonShape } from './ReasonField.tsx'

/** Suspends the tenant, or restores it; for leads. */
export function Suspension({ tenant }: { tenant: TenantDetails }) {
  const [open, setOpen] = useState(false)
  const { staff } = useMe()
  const reason = hasStaffLevel(staff, 'lead') ? undefined : 'Needs Lead. You are Support.'
  const suspended = tenant.suspendedAt !== null
  return (
    <>
      <Button look={suspended ? 'primary' : 'danger'} reason={reason} onClick={() => setOpen(true)}>
        {suspended ? 'Restore…' : 'Suspend…'}
      </Button>
      {open &&
        (suspended ? (
          <RestoreDialog tenant={tenant} onClose={() => setOpen(false)} />
        ) : (
          <SuspendDialog tenant={tenant} onClose={() => setOpen(false)} />
        ))}
    </>
  )
}

type Props = { tenant: TenantDetails; onClose: () => void }

function SuspendDialog({ tenant, onClose }: Props) {
  const { id, slug, name } = tenant
  const preview = useQuery(trpc.staff.tenants.previewSuspension.queryOptions({ tenant: id }, { staleTime: 0 }))
  const shape = z.object({
    reason: reasonShape,
    confirm: z.string().check(z.refine((typed) => typed === slug, `Type “${slug}”.`)),
  })
  const form = useForm({ resolver: zodResolver(shape), defaultValues: { reason: '', confirm: '' } })
  const suspend = useMutation(
    trpc.staff.tenants.suspend.mutationOptions({
      meta: { inline: true },
      onSuccess: () => {
        onClose()
        toast(`${name} suspended`, { description: 'Takes effect within 10 seconds.' })
      },
    }),
  )
  const figure = (value: (data: NonNullable<typeof preview.data>) => string) =>
    preview.data ? value(preview.data) : <Skeleton width="short" />
  return (
    <FormDialog
      open
      danger
      onClose={onClose}
      title={`Suspend ${name}?`}
      description="All calls and challenges are refused with site-disabled, within 10 seconds."
      submit="Suspend"
      mutation={suspend}
      onSubmit={form.handleSubmit((input) => suspend.mutate({ tenant: id, ...input }))}
    >
      <ErrorNote error={preview.error} />
      <section aria-label="What it stops" aria-busy={!preview.data} className="rounded-panel border border-line p-3">
        <Facts>
          <Fact name="Sites that stop">{figure(({ sites }) => whole(sites))}</Fact>
          <Fact name="Open intents">
            {figure(({ openIntents }) => `${counted(openIntents, 'visitor')} can no longer submit`)}
          </Fact>
          <Fact name="In the last hour">{figure(({ hourly }) => counted(hourly, 'redemption'))}</Fact>
          <Fact name="Members">
            {figure(({ members }) => `${whole(members)}, who can still read and see a banner`)}
          </Fact>
        </Facts>
      </section>
      <ReasonField {...field(form, 'reason')} />
      <TextField
        label={`Type “${slug}” to confirm`}
        autoComplete="off"
        spellCheck={false}
        {...field(form, 'confirm')}
      />
    </FormDialog>
  )
}

function RestoreDialog({ tenant, onClose }: Props) {
  const { id, name } = tenant
  const form = useForm({ resolver: zodResolver(z.object({ reason: reasonShape })), defaultValues: { reason: '' } })
  const restore = useMutation(
    trpc.staff.tenants.restore.mutationOptions({
      meta: { inline: true },
      onSuccess: () => {
        onClose()
        toast(`${name} restored`, { description: 'Takes effect within 10 seconds.' })
      },
    }),
  )
  return (
    <FormDialog
      open
      onClose={onClose}
      title={`Restore ${name}?`}
      description="Its sites work again, unless paused. Intents that expired meanwhile stay expired."
      submit="Restore"
      mutation={restore}
      onSubmit={form.handleSubmit(({ reason }) => restore.mutate({ tenant: id, reason }))}
    >
      <ReasonField {...field(form, 'reason')} />
    </FormDialog>
  )
}
