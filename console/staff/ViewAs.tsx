import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation } from '@tanstack/react-query'
import { linkOptions, useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useForm } from 'react-hook-form'
import * as z from 'zod/mini'
import { refreshMe, useMe } from '../session/me.ts'
import { trpc } from '../trpc.ts'
import { Button, PageLink } from '../ui/form/Button.tsx'
import { field } from '../ui/form/Form.tsx'
import { FormDialog } from '../ui/form/FormSheet.tsx'
import { LINK, Link } from '../ui/text/Link.tsx'
import { ReasonField, reasonShape } from './ReasonField.tsx'

type Viewed = { id: string; slug: string; name: string }

/** A page of a tenant: a site or an incident by its id, the refusals, or else the overview. */
export type Place = { site: string } | { incident: string } | 'refusals' | undefined

const linkTo = (tenant: string, place: Place) => {
  if (place === undefined) return linkOptions({ to: '/o/$tenant', params: { tenant } })
  if (place === 'refusals') return linkOptions({ to: '/o/$tenant/refusals', params: { tenant } })
  return 'site' in place
    ? linkOptions({ to: '/o/$tenant/sites/$site', params: { tenant, site: place.site } })
    : linkOptions({ to: '/o/$tenant/incidents/$id', params: { tenant, id: place.incident } })
}

/** Opens the tenant's pages as its admins see them. */
export function ViewAs({ tenant }: { tenant: Viewed }) {
  const [open, setOpen] = useState(false)
  const membership = useMembership(tenant)
  if (membership)
    return (
      <PageLink {...linkTo(tenant.slug, undefined)}>
        {membership.viewEndsAt === null ? 'Open as member' : 'Continue viewing'}
      </PageLink>
    )
  return (
    <>
      <Button onClick={() => setOpen(true)}>View as…</Button>
      {open && <ViewAsDialog tenant={tenant} onClose={() => setOpen(false)} />}
    </>
  )
}

/** A link to one of the tenant's pages, which asks for the reason first unless the tenant is being viewed. */
export function ViewAsLink({ tenant, place, children }: { tenant: Viewed; place: Place; children: ReactNode }) {
  const [open, setOpen] = useState(false)
  if (useMembership(tenant)) return <Link {...linkTo(tenant.slug, place)}>{children}</Link>
  return (
    <>
      <button type="button" aria-haspopup="dialog" onClick={() => setOpen(true)} className={LINK}>
        {children}
      </button>
      {open && <ViewAsDialog tenant={tenant} place={place} onClose={() => setOpen(false)} />}
    </>
  )
}

const useMembership = ({ id }: Viewed) => useMe().tenants.find((tenant) => tenant.id === id)

function ViewAsDialog({ tenant, place, onClose }: { tenant: Viewed; place?: Place; onClose: () => void }) {
  const navigate = useNavigate()
  const form = useForm({ resolver: zodResolver(z.object({ reason: reasonShape })), defaultValues: { reason: '' } })
  const start = useMutation(
    trpc.staff.tenants.viewAs.mutationOptions({
      meta: { inline: true },
      onSuccess: async ({ slug }) => {
        await refreshMe()
        await navigate(linkTo(slug, place))
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
      mutation={start}
      onSubmit={form.handleSubmit(({ reason }) => start.mutate({ tenant: tenant.id, reason }))}
    >
      <ReasonField {...field(form, 'reason')} />
    </FormDialog>
  )
}
