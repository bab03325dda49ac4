import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation } from '@tanstack/react-query'
import { Controller, useForm } from 'react-hook-form'
import * as z from 'zod/mini'
import { may } from '../../server/contract/permissions.ts'
import { SCOPE_NAMES, SCOPES, type Scope } from '../../server/contract/scopes.ts'
import { useSiteNames, useTenant } from '../frame/useTenant.ts'
import { trpc } from '../trpc.ts'
import { Checkbox } from '../ui/form/Checkbox.tsx'
import { TextField } from '../ui/form/Field.tsx'
import { field } from '../ui/form/Form.tsx'
import { FormSheet } from '../ui/form/FormSheet.tsx'
import { SelectField } from '../ui/form/Select.tsx'
import { nameShape } from '../ui/form/text.ts'

const SCOPE_WORDS: Record<Scope, string> = {
  'sites:read': 'See sites, hostnames, policies and rules for networks',
  'sites:write': 'Create, change and delete sites and hostnames',
  'secrets:write': 'List, add, rotate and revoke secret keys',
  'settings:write': 'Change policies, attack mode, rules for networks and usage alerts',
  'traffic:read': 'Read decisions, refused requests, incidents, feedback, usage and statements',
  'feedback:write': 'Read and report feedback',
  'grants:write': 'List and revoke grants',
  'members:read': 'List members and invitations',
  'members:write': 'Invite people, change roles and remove members',
  'audit:read': 'Read the audit log',
  'webhooks:write': 'Create, change, test and delete webhooks, and read deliveries',
}

type Expiry = z.infer<typeof shape>['days']
const EXPIRIES = { 30: '30 days', 90: '90 days', 366: '1 year' } as const

const shape = z.object({
  name: nameShape(),
  scopes: z.array(z.enum(SCOPE_NAMES)).check(z.minLength(1, 'Choose at least one.')),
  sites: z.array(z.string()),
  days: z.enum(['30', '90', '366', 'never']),
})

/** The form that creates a key. `onCreated` gets its text, which is not kept. */
export function CreateKey({
  open,
  onClose,
  onCreated,
}: {
  open: boolean
  onClose: () => void
  onCreated: (key: string) => void
}) {
  const { slug, role } = useTenant()
  const sites = useSiteNames()
  const form = useForm<z.infer<typeof shape>>({
    resolver: zodResolver(shape),
    defaultValues: { name: '', scopes: ['sites:read'], sites: [], days: '90' },
  })
  const create = useMutation(
    trpc.keys.create.mutationOptions({
      meta: { inline: true },
      gcTime: 0,
      onSuccess: ({ key }) => {
        onCreated(key)
        create.reset()
        form.reset()
        onClose()
      },
    }),
  )
  // only an owner may create a key that does not expire
  const expiries = (role === 'owner' ? { ...EXPIRIES, never: 'Never' } : EXPIRIES) as Record<Expiry, string>
  const scopes = SCOPE_NAMES.filter((scope) => SCOPES[scope].some((permission) => may(role, permission)))
  return (
    <FormSheet
      open={open}
      onClose={onClose}
      title="Create an API key"
      description="A key can never do more than you. If you leave the tenant, it stops working."
      submit="Create key"
      mutation={create}
      onSubmit={form.handleSubmit(({ days, ...input }) =>
        create.mutate({ tenant: slug, ...input, days: days === 'never' ? null : Number(days) }),
      )}
    >
      <TextField label="Name" hint="Where it is used: “GitHub Actions”." {...field(form, 'name')} />
      <fieldset className="grid gap-2">
        <legend className="mb-1 text-13 font-medium">What it may do</legend>
        {scopes.map((scope) => (
          <Checkbox
            key={scope}
            label={<span className="font-mono">{scope}</span>}
            hint={SCOPE_WORDS[scope]}
            value={scope}
            {...form.register('scopes')}
          />
        ))}
        {form.formState.errors.scopes && (
          <p role="alert" className="text-12 text-block">
            {form.formState.errors.scopes.message}
          </p>
        )}
      </fieldset>
      {Object.keys(sites).length > 1 && (
        <fieldset className="grid gap-2">
          <legend className="mb-1 text-13 font-medium">Sites</legend>
          <p className="text-12 text-ink-2">If you choose none, the key is for all sites, also those created later.</p>
          {Object.entries(sites).map(([id, name]) => (
            <Checkbox key={id} label={name} value={id} {...form.register('sites')} />
          ))}
        </fieldset>
      )}
      <Controller
        control={form.control}
        name="days"
        render={({ field: { value, onChange } }) => (
          <SelectField label="Expires after" value={value} onChange={onChange} options={expiries} />
        )}
      />
    </FormSheet>
  )
}
