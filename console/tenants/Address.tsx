import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import * as z from 'zod/mini'
import { SLUG } from '../../server/contract/names.ts'
import { useTenant } from '../frame/useTenant.ts'
import { addTenantSlug, refreshMe } from '../session/me.ts'
import { trpc } from '../trpc.ts'
import { Button } from '../ui/form/Button.tsx'
import { TextField } from '../ui/form/Field.tsx'
import { Form } from '../ui/form/Form.tsx'
import { FormDialog } from '../ui/form/FormSheet.tsx'
import { toast } from '../ui/overlay/toast.ts'
import { Panel } from '../ui/page/Page.tsx'
import { Code } from '../ui/text/Snippet.tsx'

const shape = z.object({
  slug: z
    .string()
    .check(z.trim(), z.toLowerCase(), z.regex(SLUG, 'Use lower-case letters, digits and hyphens, at most 40.')),
})

/** The tenant's URL. Asks before changing it, because existing links break. */
export function Address() {
  const { slug, whyNot } = useTenant()
  const navigate = useNavigate()
  const [asking, setAsking] = useState<string | null>(null)
  const form = useForm({ resolver: zodResolver(shape), defaultValues: { slug } })
  const move = useMutation(
    trpc.tenants.update.mutationOptions({
      meta: { inline: true },
      onSuccess: async (tenant) => {
        setAsking(null)
        toast(`URL changed to /o/${tenant.slug}`)
        addTenantSlug(slug, tenant.slug)
        await navigate({ to: '/o/$tenant/settings', params: { tenant: tenant.slug }, replace: true })
        await refreshMe()
      },
    }),
  )
  const unchanged = form.formState.isDirty ? undefined : 'No changes to save.'
  return (
    <Panel
      title="URL"
      description={
        <>
          All pages of the tenant start with <Code>{`${location.host}/o/${slug}`}</Code>. Changing it breaks existing
          links. Keys and the API are not affected.
        </>
      }
    >
      <Form narrow onSubmit={form.handleSubmit((input) => setAsking(input.slug))}>
        <TextField
          label="Slug"
          mono
          autoCapitalize="off"
          autoComplete="off"
          spellCheck={false}
          error={form.formState.errors.slug?.message}
          {...form.register('slug')}
        />
        <div>
          <Button type="submit" reason={whyNot('tenant.write') ?? unchanged}>
            Change URL…
          </Button>
        </div>
      </Form>
      <FormDialog
        open={asking !== null}
        onClose={() => {
          setAsking(null)
          move.reset()
        }}
        title={`Change the URL to /o/${asking ?? ''}?`}
        submit="Change URL"
        danger
        busy={move.isPending}
        error={move.error}
        onSubmit={(event) => {
          event.preventDefault()
          if (asking !== null) move.mutate({ tenant: slug, slug: asking })
        }}
      >
        <ul className="grid list-disc gap-1.5 pl-4 text-13 text-ink-2">
          <li>
            Bookmarks and links to <Code>{`/o/${slug}`}</Code> will stop working.
          </li>
          <li>
            Anyone can take <Code>{slug}</Code> immediately.
          </li>
          <li>Command-line scripts that use the slug need the new one. Site keys and secrets don’t change.</li>
        </ul>
      </FormDialog>
    </Panel>
  )
}
