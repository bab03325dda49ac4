import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import * as z from 'zod/mini'
import { trpc } from '../trpc.ts'
import { Button } from '../ui/form/Button.tsx'
import { TextField } from '../ui/form/Field.tsx'
import { Form, field } from '../ui/form/Form.tsx'
import { SelectField } from '../ui/form/Select.tsx'
import { TypeToConfirm } from '../ui/overlay/Confirm.tsx'
import { toast } from '../ui/overlay/toast.ts'
import { ErrorNote } from '../ui/page/ErrorNotice.tsx'
import { Page, Panel } from '../ui/page/Page.tsx'
import { save } from '../ui/table/save.ts'
import { counted } from '../ui/text/format.ts'

/** Gives people what is stored about them, and deletes it; for leads. */
export function Erasure() {
  return (
    <Page
      title="Erasure"
      context="Staff"
      description="For people who ask what is stored about them, or want it deleted. Every use is in the audit log."
    >
      <Person />
      <Visitor />
    </Page>
  )
}

const personShape = z.object({
  email: z.string().check(
    z.overwrite((typed) => typed.trim().toLowerCase()),
    z.regex(/^[^\s@]+@[^\s@]+$/, 'Enter an e-mail address, such as ada@example.com.'),
  ),
})

function Person() {
  const [erasing, setErasing] = useState<string | null>(null)
  const form = useForm({ resolver: zodResolver(personShape), defaultValues: { email: '' } })
  const exporting = useMutation(
    trpc.staff.people.export.mutationOptions({
      meta: { inline: true },
      // it is personal data, so it is not cached
      gcTime: 0,
      onSuccess: (person) =>
        save(`${person.email}.json`, new Blob([JSON.stringify(person, null, 2)], { type: 'application/json' })),
    }),
  )
  const erase = useMutation(
    trpc.staff.people.erase.mutationOptions({
      meta: { inline: true },
      onSuccess: ({ account, invitations, events }) => {
        setErasing(null)
        form.reset()
        toast(account ? 'Account deleted' : 'There was no account', {
          description: `${counted(invitations, 'invitation')} deleted, address removed from ${counted(events, 'audit event')}.`,
        })
      },
    }),
  )
  const ask = form.handleSubmit(({ email }) => {
    erase.reset()
    setErasing(email)
  })
  return (
    <Panel
      title="A person with an account"
      description="Members and invited people. The only owner of a tenant and members of staff cannot be erased here."
    >
      <Form narrow onSubmit={form.handleSubmit((input) => exporting.mutate(input))}>
        <TextField
          label="E-mail address"
          type="email"
          autoComplete="off"
          spellCheck={false}
          {...field(form, 'email')}
        />
        <ErrorNote error={exporting.error} />
        <div className="flex flex-wrap gap-2">
          <Button type="submit" busy={exporting.isPending}>
            Export
          </Button>
          <Button look="danger" onClick={(event) => void ask(event)}>
            Erase…
          </Button>
        </div>
      </Form>
      {erasing !== null && (
        <TypeToConfirm
          open
          word={erasing}
          onClose={() => setErasing(null)}
          title="Erase this person?"
          action="Erase"
          onConfirm={() => erase.mutate({ email: erasing, confirm: erasing })}
          mutation={erase}
        >
          Deletes the account, its sessions, passkeys, memberships and invitations, and removes the address and the name
          from the audit log. This cannot be undone.
        </TypeToConfirm>
      )}
    </Panel>
  )
}

const visitorShape = z.object({
  tenant: z.string().check(z.trim(), z.minLength(1, 'Enter the slug of the tenant.')),
  field: z.enum(['session', 'subject']),
  hash: z.string().check(z.trim(), z.regex(/^[0-9a-f]{64}$/, 'Enter 64 lower-case hex digits.')),
})
type VisitorInput = z.infer<typeof visitorShape>

function Visitor() {
  const [erasing, setErasing] = useState<VisitorInput | null>(null)
  const form = useForm<VisitorInput>({
    resolver: zodResolver(visitorShape),
    defaultValues: { tenant: '', field: 'session', hash: '' },
  })
  const erase = useMutation(
    trpc.staff.visitors.erase.mutationOptions({
      meta: { inline: true },
      onSuccess: ({ intents, grants, decisions }) => {
        setErasing(null)
        form.reset()
        toast('Visitor erased', {
          description: `${counted(intents, 'intent')}, ${counted(grants, 'grant')}, ${counted(decisions, 'decision')}.`,
        })
      },
    }),
  )
  return (
    <Panel
      title="A visitor of a tenant"
      description="By the hash that the tenant’s backend sends as session or subject. Only the tenant can compute it."
    >
      <Form
        narrow
        onSubmit={form.handleSubmit((input) => {
          erase.reset()
          setErasing(input)
        })}
      >
        <TextField
          label="Tenant"
          hint="Its slug, as in the address of its console."
          autoComplete="off"
          spellCheck={false}
          {...field(form, 'tenant')}
        />
        <SelectField
          label="Field"
          value={useWatch({ control: form.control, name: 'field' })}
          onChange={(field) => form.setValue('field', field)}
          options={{ session: 'session', subject: 'subject' }}
        />
        <TextField label="Hash" mono autoComplete="off" spellCheck={false} {...field(form, 'hash')} />
        <div>
          <Button type="submit" look="danger">
            Erase…
          </Button>
        </div>
      </Form>
      {erasing && (
        <TypeToConfirm
          open
          word={erasing.tenant}
          onClose={() => setErasing(null)}
          title="Erase this visitor?"
          action="Erase"
          onConfirm={() => erase.mutate({ ...erasing, confirm: erasing.tenant })}
          mutation={erase}
        >
          Removes the hash from the intents and grants of {erasing.tenant}, and ends the session’s grants. This cannot
          be undone.
        </TypeToConfirm>
      )}
    </Panel>
  )
}
