import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import * as z from 'zod/mini'
import { refreshMe } from '../session/me.ts'
import { siteShape } from '../sites/siteShape.ts'
import { trpc } from '../trpc.ts'
import { Button } from '../ui/form/Button.tsx'
import { TextField } from '../ui/form/Field.tsx'
import { Form, field } from '../ui/form/Form.tsx'
import { nameShape } from '../ui/form/text.ts'
import { ErrorNote } from '../ui/page/ErrorNotice.tsx'

const tenantShape = z.object({
  name: nameShape(),
})

/** The first step: creates the tenant. */
export function CreateTenantForm({ onCreated }: { onCreated: (slug: string) => void }) {
  const form = useForm({ resolver: zodResolver(tenantShape), defaultValues: { name: '' } })
  const create = useMutation(
    trpc.tenants.create.mutationOptions({
      meta: { inline: true },
      onSuccess: async ({ slug }) => {
        await refreshMe()
        onCreated(slug)
      },
    }),
  )
  return (
    <Form narrow onSubmit={form.handleSubmit((input) => create.mutate(input))}>
      <TextField
        label="Name"
        hint="Your company or team. It has its own sites, members and bill."
        autoComplete="organization"
        {...field(form, 'name')}
      />
      <ErrorNote error={create.error} />
      <div>
        <Button type="submit" look="primary" busy={create.isPending}>
          Create tenant
        </Button>
      </div>
    </Form>
  )
}

/** The second step: creates the first site. */
export function CreateSiteForm({
  tenant,
  onCreated,
}: {
  tenant: string
  onCreated: (site: { id: string; sitekey: string; secret: string }) => void
}) {
  const form = useForm({ resolver: zodResolver(siteShape), defaultValues: { name: '', hostname: 'localhost' } })
  const create = useMutation(
    trpc.sites.create.mutationOptions({
      meta: { inline: true },
      // the response contains a secret, so it is not cached
      gcTime: 0,
      onSuccess: onCreated,
    }),
  )
  return (
    <Form
      narrow
      onSubmit={form.handleSubmit(({ name, hostname }) => create.mutate({ tenant, name, hostnames: [hostname] }))}
    >
      <TextField label="Name" hint="For example “Shop” or “Sign-up”." {...field(form, 'name')} />
      <TextField
        label="Hostname"
        hint="The host of the page with your form. Start with localhost if you like."
        autoCapitalize="off"
        spellCheck={false}
        {...field(form, 'hostname')}
      />
      <ErrorNote error={create.error} />
      <div>
        <Button type="submit" look="primary" busy={create.isPending}>
          Create site
        </Button>
      </div>
    </Form>
  )
}
