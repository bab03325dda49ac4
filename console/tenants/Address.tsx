import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import * as z from 'zod/mini'
import { SLUG } from '../../server/accounts/tenants/grammar.ts'
import { useTenant } from '../frame/useTenant.ts'
import { refreshMe, showAlsoAt } from '../session/me.ts'
import { trpc } from '../trpc.ts'
import { Button } from '../ui/Button.tsx'
import { Code } from '../ui/Code.tsx'
import { TextField } from '../ui/Field.tsx'
import { Form } from '../ui/Form.tsx'
import { FormDialog } from '../ui/FormSheet.tsx'
import { Panel } from '../ui/Page.tsx'
import { toast } from '../ui/toast.ts'

const shape = z.object({
  slug: z
    .string()
    .check(z.trim(), z.toLowerCase(), z.regex(SLUG, 'Lower-case letters, digits and - inside, at most 40.')),
})

/** Where the tenant is found. Asks before it moves: links of others break. */
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
        toast(`The tenant is at /o/${tenant.slug} now`)
        showAlsoAt(slug, tenant.slug)
        await navigate({ to: '/o/$tenant/settings', params: { tenant: tenant.slug }, replace: true })
        await refreshMe()
      },
    }),
  )
  const unchanged = form.formState.isDirty ? undefined : 'Nothing is changed yet.'
  return (
    <Panel
      title="Address"
      description={
        <>
          Every page of the tenant stands below <Code>{`${location.host}/o/${slug}`}</Code>. Another address breaks all
          links to them; keys and the API are not affected.
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
            Change address…
          </Button>
        </div>
      </Form>
      <FormDialog
        open={asking !== null}
        onClose={() => {
          setAsking(null)
          move.reset()
        }}
        title={`Move to /o/${asking ?? ''}?`}
        submit="Change address"
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
            Bookmarks and links to <Code>{`/o/${slug}`}</Code> lead nowhere from now on.
          </li>
          <li>
            The old address is free at once: anybody may take <Code>{slug}</Code>.
          </li>
          <li>Scripts of the command line that name the slug need the new one. Site keys and secrets stay.</li>
        </ul>
      </FormDialog>
    </Panel>
  )
}
