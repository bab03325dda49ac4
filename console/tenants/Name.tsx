import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import * as z from 'zod/mini'
import { useTenant } from '../frame/useTenant.ts'
import { refreshMe } from '../session/me.ts'
import { trpc } from '../trpc.ts'
import { Button } from '../ui/form/Button.tsx'
import { TextField } from '../ui/form/Field.tsx'
import { Form } from '../ui/form/Form.tsx'
import { toast } from '../ui/overlay/toast.ts'
import { ErrorNote } from '../ui/page/ErrorNotice.tsx'
import { Panel } from '../ui/page/Page.tsx'

const shape = z.object({
  name: z.string().check(z.trim(), z.minLength(1, 'Enter a name.'), z.maxLength(120, 'At most 120 characters.')),
})

/** The form that renames the tenant. */
export function Name() {
  const { slug, name, whyNot } = useTenant()
  const form = useForm({ resolver: zodResolver(shape), values: { name } })
  const back = useMutation(trpc.tenants.rename.mutationOptions({ onSuccess: refreshMe }))
  const rename = useMutation(
    trpc.tenants.rename.mutationOptions({
      meta: { inline: true },
      onSuccess: async (tenant) => {
        const before = name
        toast(`Tenant renamed to ${tenant.name}`, {
          ...(before !== tenant.name && { undo: () => back.mutate({ tenant: slug, name: before }) }),
        })
        await refreshMe()
      },
    }),
  )
  const unchanged = form.formState.isDirty ? undefined : 'No changes to save.'
  return (
    <Panel title="Name" description="Shown in the tenant switcher, invitations and e-mails.">
      <Form narrow onSubmit={form.handleSubmit((input) => rename.mutate({ tenant: slug, ...input }))}>
        <TextField label="Name" error={form.formState.errors.name?.message} {...form.register('name')} />
        <ErrorNote error={rename.error} />
        <div>
          <Button type="submit" look="primary" busy={rename.isPending} reason={whyNot('tenant.write') ?? unchanged}>
            Rename
          </Button>
        </div>
      </Form>
    </Panel>
  )
}
