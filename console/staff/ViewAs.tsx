import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import * as z from 'zod/mini'
import { refreshMe, useMe } from '../session/me.ts'
import { trpc } from '../trpc.ts'
import { Button, PageLink } from '../ui/form/Button.tsx'
import { FormDialog } from '../ui/form/FormSheet.tsx'
import { Reason, reasonShape } from './Reason.tsx'
import type { StaffTenantView } from './staffTenant.ts'

/** Looks at the tenant as its admins see it. */
export function ViewAs({ tenant }: { tenant: StaffTenantView }) {
  const [open, setOpen] = useState(false)
  const { tenants } = useMe()
  const there = tenants.find(({ id }) => id === tenant.id)
  if (there)
    return (
      <PageLink to="/o/$tenant" params={{ tenant: tenant.slug }}>
        {there.viewEndsAt === null ? 'Open as member' : 'Continue viewing'}
      </PageLink>
    )
  return (
    <>
      <Button onClick={() => setOpen(true)}>View as…</Button>
      {open && <Start tenant={tenant} onClose={() => setOpen(false)} />}
    </>
  )
}

function Start({ tenant, onClose }: { tenant: StaffTenantView; onClose: () => void }) {
  const navigate = useNavigate()
  const form = useForm({ resolver: zodResolver(z.object({ reason: reasonShape })), defaultValues: { reason: '' } })
  const start = useMutation(
    trpc.staff.tenants.viewAs.mutationOptions({
      meta: { inline: true },
      onSuccess: async ({ slug }) => {
        await refreshMe()
        await navigate({ to: '/o/$tenant', params: { tenant: slug } })
      },
    }),
  )
  return (
    <FormDialog
      open
      onClose={onClose}
      title={`View as ${tenant.name}`}
      description="For 30 minutes, read-only, as an admin sees it. Start and end are recorded in their audit log."
      submit="View as"
      busy={start.isPending}
      error={start.error}
      onSubmit={form.handleSubmit(({ reason }) => start.mutate({ tenant: tenant.id, reason }))}
    >
      <Reason error={form.formState.errors.reason?.message} {...form.register('reason')} />
    </FormDialog>
  )
}
