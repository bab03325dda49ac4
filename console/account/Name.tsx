import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import * as z from 'zod/mini'
import { answered } from '../session/answered.ts'
import { auth } from '../session/auth.ts'
import { refreshMe, useMe } from '../session/me.ts'
import { Button } from '../ui/form/Button.tsx'
import { TextField } from '../ui/form/Field.tsx'
import { Form } from '../ui/form/Form.tsx'
import { toast } from '../ui/overlay/toast.ts'
import { FailureNote } from '../ui/page/Failure.tsx'
import { Panel } from '../ui/page/Page.tsx'

const shape = z.object({
  name: z.string().check(z.trim(), z.minLength(1, 'Enter your name.'), z.maxLength(120, 'At most 120 characters.')),
})

export function Name() {
  const { user } = useMe()
  const form = useForm({ resolver: zodResolver(shape), values: { name: user.name } })
  const rename = useMutation({
    meta: { inline: true },
    mutationFn: (input: z.infer<typeof shape>) => answered(auth.updateUser(input)),
    onSuccess: async () => {
      await refreshMe()
      toast('Name changed')
    },
  })
  return (
    <Panel title="Name" description="Shown to your team next to your actions.">
      <Form narrow onSubmit={form.handleSubmit((input) => rename.mutate(input))}>
        <TextField
          label="Name"
          autoComplete="name"
          error={form.formState.errors.name?.message}
          {...form.register('name')}
        />
        <FailureNote error={rename.error} />
        <div>
          <Button
            type="submit"
            busy={rename.isPending}
            reason={form.formState.isDirty ? undefined : 'No changes to save.'}
          >
            Change name
          </Button>
        </div>
      </Form>
    </Panel>
  )
}
