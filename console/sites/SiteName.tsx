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
import { Panel } from '../ui/page/Page.tsx'
import { siteShape } from './siteShape.ts'
import { refreshSites, useSiteInput } from './useSite.ts'

const shape = z.pick(siteShape, { name: true })

/** The form that renames the site. */
export function SiteName({ name }: { name: string }) {
  const input = useSiteInput()
  const { whyNot } = useTenant()
  const form = useForm({ resolver: zodResolver(shape), values: { name } })
  const { errors, isDirty } = form.formState
  const rename = useMutation(
    trpc.sites.rename.mutationOptions({
      meta: { inline: true },
      onSuccess: async ({ name }) => {
        form.reset({ name })
        toast(`Site renamed to ${name}`)
        await refreshSites()
      },
    }),
  )
  return (
    <Panel title="Name" description="For you and your team; visitors never see it.">
      <Form narrow onSubmit={form.handleSubmit(({ name }) => rename.mutate({ ...input, name }))}>
        <TextField label="Name" error={errors.name?.message} {...form.register('name')} />
        <ErrorNote error={rename.error} />
        <div>
          <Button
            type="submit"
            busy={rename.isPending}
            reason={whyNot('site.write') ?? (isDirty ? undefined : 'No changes to save.')}
          >
            Rename
          </Button>
        </div>
      </Form>
    </Panel>
  )
}
