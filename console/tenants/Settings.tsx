import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import * as z from 'zod/mini'
import { SLUG } from '../../server/contract/names.ts'
import { WhomToAsk } from '../frame/Permitted.tsx'
import { useTenant } from '../frame/useTenant.ts'
import { useAfterLeaving } from '../session/home.ts'
import { addTenantSlug, refreshMe } from '../session/me.ts'
import { trpc } from '../trpc.ts'
import { Button } from '../ui/form/Button.tsx'
import { TextField } from '../ui/form/Field.tsx'
import { Form, field } from '../ui/form/Form.tsx'
import { FormDialog } from '../ui/form/FormSheet.tsx'
import { nameShape } from '../ui/form/text.ts'
import { TypeToConfirm } from '../ui/overlay/Confirm.tsx'
import { toast } from '../ui/overlay/toast.ts'
import { ErrorNote } from '../ui/page/ErrorNotice.tsx'
import { Page, Panel } from '../ui/page/Page.tsx'
import { Fact, Facts } from '../ui/table/Facts.tsx'
import { CopyText } from '../ui/text/Copy.tsx'
import { Code } from '../ui/text/Snippet.tsx'
import { RequireTwoFactor } from './RequireTwoFactor.tsx'

/** The tenant's settings: name, URL, two-factor rule and deletion. */
export function Settings() {
  const { name, slug, may } = useTenant()
  return (
    <Page title="Settings" context={name} description="Tenant settings. Each site has its own policy and limits.">
      {may('tenant.write') ? (
        <>
          <RenameTenant />
          <ChangeUrl key={slug} />
        </>
      ) : (
        <NameAndUrl />
      )}
      <RequireTwoFactor />
      <DeleteTenant />
    </Page>
  )
}

/** Name and URL for those who cannot change them. */
function NameAndUrl() {
  const { slug, name } = useTenant()
  return (
    <Panel title="Name and URL" description={<WhomToAsk permission="tenant.write" />}>
      <Facts>
        <Fact name="Name">{name}</Fact>
        <Fact name="URL">
          <CopyText text={`${location.origin}/o/${slug}`} name="URL" />
        </Fact>
      </Facts>
    </Panel>
  )
}

const tenantShape = z.object({
  name: nameShape(),
})

/** The form that renames the tenant. */
function RenameTenant() {
  const { slug, name } = useTenant()
  const form = useForm({ resolver: zodResolver(tenantShape), values: { name } })
  const undoRename = useMutation(
    trpc.tenants.rename.mutationOptions({
      onSuccess: async (tenant) => {
        toast(`Tenant renamed to ${tenant.name}`)
        await refreshMe()
      },
    }),
  )
  const rename = useMutation(
    trpc.tenants.rename.mutationOptions({
      meta: { inline: true },
      onSuccess: async (tenant) => {
        const before = name
        toast(`Tenant renamed to ${tenant.name}`, {
          ...(before !== tenant.name && { undo: () => undoRename.mutate({ tenant: slug, name: before }) }),
        })
        await refreshMe()
      },
    }),
  )
  const unchanged = form.formState.isDirty ? undefined : 'No changes to save.'
  return (
    <Panel title="Name" description="Shown in the tenant switcher, invitations and e-mails.">
      <Form narrow onSubmit={form.handleSubmit((input) => rename.mutate({ tenant: slug, ...input }))}>
        <TextField label="Name" {...field(form, 'name')} />
        <ErrorNote error={rename.error} />
        <div>
          <Button type="submit" busy={rename.isPending} reason={unchanged}>
            Rename
          </Button>
        </div>
      </Form>
    </Panel>
  )
}

const slugShape = z.object({
  slug: z
    .string()
    .check(z.trim(), z.toLowerCase(), z.regex(SLUG, 'Use lower-case letters, digits and hyphens, at most 40.')),
})

/** The tenant's URL. Asks before changing it, because existing links break. */
function ChangeUrl() {
  const { slug } = useTenant()
  const navigate = useNavigate()
  const [newSlug, setNewSlug] = useState<string | null>(null)
  const form = useForm({ resolver: zodResolver(slugShape), defaultValues: { slug } })
  const change = useMutation(
    trpc.tenants.update.mutationOptions({
      meta: { inline: true },
      onSuccess: async (tenant) => {
        setNewSlug(null)
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
      <Form narrow onSubmit={form.handleSubmit((input) => setNewSlug(input.slug))}>
        <TextField
          label="Slug"
          mono
          autoCapitalize="off"
          autoComplete="off"
          spellCheck={false}
          {...field(form, 'slug')}
        />
        <div>
          <Button type="submit" reason={unchanged}>
            Change URL…
          </Button>
        </div>
      </Form>
      <FormDialog
        open={newSlug !== null}
        onClose={() => {
          setNewSlug(null)
          change.reset()
        }}
        title={`Change the URL to /o/${newSlug ?? ''}?`}
        submit="Change URL"
        danger
        mutation={change}
        onSubmit={() => newSlug !== null && change.mutate({ tenant: slug, slug: newSlug })}
      >
        <ul className="grid list-disc gap-1.5 pl-4 text-13 text-ink-2">
          <li>
            Bookmarks and links to <Code>{`/o/${slug}`}</Code> will stop working.
          </li>
          <li>
            Other tenants can take <Code>{slug}</Code> after 90 days.
          </li>
          <li>Command-line scripts that use the slug need the new one. Site keys and secrets don’t change.</li>
        </ul>
      </FormDialog>
    </Panel>
  )
}

/** Deletes the tenant after its slug is typed. Requires a recent sign-in. */
function DeleteTenant() {
  const { slug, name, whyNot } = useTenant()
  const [confirming, setConfirming] = useState(false)
  const afterLeaving = useAfterLeaving(slug)
  const remove = useMutation(
    trpc.tenants.delete.mutationOptions({
      meta: { inline: true },
      onSuccess: async () => {
        setConfirming(false)
        toast(`${name} deleted`)
        await afterLeaving()
      },
    }),
  )
  return (
    <Panel title="Delete this tenant" description="Its sites stop working within 10 seconds. You can’t undo this.">
      <Button
        look="danger"
        busy={remove.isPending}
        reason={whyNot('tenant.delete')}
        onClick={() => {
          remove.reset()
          setConfirming(true)
        }}
      >
        Delete tenant…
      </Button>
      <TypeToConfirm
        open={confirming}
        onClose={() => setConfirming(false)}
        title={`Delete ${name}?`}
        word={slug}
        action="Delete tenant"
        onConfirm={() => remove.mutate({ tenant: slug, confirm: slug })}
        mutation={remove}
      >
        <ul className="grid list-disc gap-1.5 pl-4">
          <li>All sites, keys and hostnames are deleted. Forms that use them can’t be submitted.</li>
          <li>All members lose access, including you. Open invitations are revoked.</li>
          <li>Decisions and billing records are kept as required by law, but not shown in the console.</li>
        </ul>
      </TypeToConfirm>
    </Panel>
  )
}
