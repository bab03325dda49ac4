import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { siteShape } from '../sites/siteShape.ts'
import { trpc } from '../trpc.ts'
import { Button } from '../ui/Button.tsx'
import { FailureNote } from '../ui/Failure.tsx'
import { TextField } from '../ui/Field.tsx'
import { Form } from '../ui/Form.tsx'

/** The second step: where the form is that is to be protected. */
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
      // the reply carries a secret: out of the cache with it
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
        hint="Such as “Shop” or “Sign-up”."
        error={errors.name?.message}
        {...form.register('name')}
      />
      <TextField
        label="Hostname"
        hint="Where the form is shown; localhost is fine to begin with."
        autoCapitalize="off"
        spellCheck={false}
        error={errors.hostname?.message}
        {...form.register('hostname')}
      />
      <FailureNote error={make.error} />
      <div>
        <Button type="submit" look="primary" busy={make.isPending}>
          Make site
        </Button>
      </div>
    </Form>
  )
}
