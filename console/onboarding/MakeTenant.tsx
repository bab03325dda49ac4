import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import * as z from 'zod/mini'
import { refreshMe } from '../session/me.ts'
import { trpc } from '../trpc.ts'
import { Button } from '../ui/form/Button.tsx'
import { TextField } from '../ui/form/Field.tsx'
import { Form } from '../ui/form/Form.tsx'
import { FailureNote } from '../ui/page/Failure.tsx'

const shape = z.object({
  name: z.string().check(z.trim(), z.minLength(1, 'Enter a name.'), z.maxLength(120, 'At most 120 characters.')),
})

/** The first step: creates the tenant. */
export function MakeTenant({ onMade }: { onMade: (slug: string) => void }) {
  const form = useForm({ resolver: zodResolver(shape), defaultValues: { name: '' } })
  const make = useMutation(
    trpc.tenants.create.mutationOptions({
      meta: { inline: true },
      onSuccess: async ({ slug }) => {
        await refreshMe()
        onMade(slug)
      },
    }),
  )
  return (
    <Form narrow onSubmit={form.handleSubmit((input) => make.mutate(input))}>
      <TextField
        label="Name"
        hint="Your company or team. It has its own sites, members and bill."
        autoComplete="organization"
        error={form.formState.errors.name?.message}
        {...form.register('name')}
      />
      <FailureNote error={make.error} />
      <div>
        <Button type="submit" look="primary" busy={make.isPending}>
          Create tenant
        </Button>
      </div>
    </Form>
  )
}
