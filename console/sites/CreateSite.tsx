import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { useTenant } from '../frame/useTenant.ts'
import { trpc } from '../trpc.ts'
import { TextField } from '../ui/form/Field.tsx'
import { field } from '../ui/form/Form.tsx'
import { FormSheet } from '../ui/form/FormSheet.tsx'
import { RevealKeys } from './RevealKeys.tsx'
import { siteShape } from './siteShape.ts'

/** Creates a site with its first hostname, shows its first secret once, and continues with its integration. */
export function CreateSite({
  open,
  onCreated,
  onClose,
}: {
  open: boolean
  onCreated: () => void
  onClose: () => void
}) {
  const { slug } = useTenant()
  const [created, setCreated] = useState<{ id: string; sitekey: string; secret: string } | null>(null)
  const navigate = useNavigate()
  const form = useForm({ resolver: zodResolver(siteShape), defaultValues: { name: '', hostname: '' } })
  const create = useMutation(
    trpc.sites.create.mutationOptions({
      meta: { inline: true },
      // the response contains a secret, so it is not cached
      gcTime: 0,
      onSuccess: (site) => {
        setCreated(site)
        create.reset()
        form.reset()
        onCreated()
        onClose()
      },
    }),
  )
  return (
    <>
      <FormSheet
        open={open}
        onClose={onClose}
        title="Create a site"
        description="You get a site key for your pages and a secret key for your backend."
        submit="Create site"
        mutation={create}
        onSubmit={form.handleSubmit(({ name, hostname }) =>
          create.mutate({ tenant: slug, name, hostnames: [hostname] }),
        )}
      >
        <TextField label="Name" hint="For you and your team." {...field(form, 'name')} />
        <TextField
          label="First hostname"
          hint="The host of the page with your form, or localhost. You can paste it from an address bar, and add more later."
          autoCapitalize="off"
          spellCheck={false}
          {...field(form, 'hostname')}
        />
      </FormSheet>
      <RevealKeys
        site={created}
        action="Continue to Integrate"
        onDone={() => {
          setCreated(null)
          if (created)
            void navigate({ to: '/o/$tenant/sites/$site/integrate', params: { tenant: slug, site: created.id } })
        }}
      />
    </>
  )
}
