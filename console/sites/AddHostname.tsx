import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import * as z from 'zod/mini'
import { useTenant } from '../frame/useTenant.ts'
import { trpc } from '../trpc.ts'
import { Button } from '../ui/form/Button.tsx'
import { TextField } from '../ui/form/Field.tsx'
import { Form } from '../ui/form/Form.tsx'
import { toast } from '../ui/overlay/toast.ts'
import { ErrorNote } from '../ui/page/ErrorNotice.tsx'
import { hostnameIn, hostnameShape } from './hostname.ts'
import { refreshHostnames } from './refreshHostnames.ts'
import { useSiteInput } from './useSite.ts'

const shape = z.object({ hostname: hostnameShape })

/** The form that adds a hostname. For invalid input it suggests the hostname that was probably meant. */
export function AddHostname() {
  const input = useSiteInput()
  const { whyNot } = useTenant()
  const form = useForm({ resolver: zodResolver(shape), defaultValues: { hostname: '' } })
  const add = useMutation(
    trpc.hostnames.add.mutationOptions({
      meta: { inline: true },
      onSuccess: async ({ hostname }) => {
        form.reset()
        toast(`${hostname} allowed`)
        await refreshHostnames()
      },
    }),
  )
  const error = form.formState.errors.hostname?.message
  const meant = error === undefined ? null : hostnameIn(form.getValues('hostname'))
  return (
    <Form narrow onSubmit={form.handleSubmit(({ hostname }) => add.mutate({ ...input, hostname }))}>
      <TextField
        label="Add a hostname"
        hint="Lower case, without https:// or port. Enter international names as Punycode (xn--…)."
        autoCapitalize="off"
        autoComplete="off"
        spellCheck={false}
        mono
        error={error}
        action={
          <Button type="submit" look="primary" size="field" busy={add.isPending} reason={whyNot('hostname.write')}>
            Add hostname
          </Button>
        }
        {...form.register('hostname')}
      />
      {meant !== null && (
        <div>
          <Button onClick={() => form.setValue('hostname', meant, { shouldValidate: true })}>Use {meant}</Button>
        </div>
      )}
      <ErrorNote error={add.error} />
    </Form>
  )
}
