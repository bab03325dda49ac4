import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { siteShape } from '../sites/siteShape.ts'
import { trpc } from '../trpc.ts'
import { Button } from '../ui/form/Button.tsx'
import { TextField } from '../ui/form/Field.tsx'
import { Form } from '../ui/form/Form.tsx'
import { FailureNote } from '../ui/page/Failure.tsx'

/** The second step: creates the first site. */
export function MakeSite({
  tenant,
  onMade,
}: {
  tenant: string
  onMade: (site: { id: string; secret: string }) => void
}) {
  const form = useForm({ resolver: zodResolver(siteShape), defaultValues: { name: '', hostname: 'localhost' } })
  const { errors } = form.formState
  const make = useMutation(
    trpc.sites.create.mutationOptions({
      meta: { inline: true },
      // the response contains a secret, so it is not cached
      gcTime: 0,
      onSuccess: onMade,
    }),
  )
  return (
    <Form
      narrow
      onSubmit={form.handleSubmit(({ name, hostname }) => make.mutate({ tenant, name, hostnames: [hostname] }))}
    >
      <TextField
        label="Name"
        hint="For example “Shop” or “Sign-up”."
        error={errors.name?.message}
        {...form.register('name')}
      />
      <TextField
        label="Hostname"
        hint="The host of the page with your form. Start with localhost if you like."
        autoCapitalize="off"
        spellCheck={false}
        error={errors.hostname?.message}
        {...form.register('hostname')}
      />
      <FailureNote error={make.error} />
      <div>
        <Button type="submit" look="primary" busy={make.isPending}>
          Create site
        </Button>
      </div>
    </Form>
  )
}
