import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { Controller, useForm } from 'react-hook-form'
import * as z from 'zod/mini'
import { ROLES, reaches } from '../../server/contract/permissions.ts'
import { useTenant } from '../frame/useTenant.ts'
import { trpc } from '../trpc.ts'
import { Button } from '../ui/form/Button.tsx'
import { TextField } from '../ui/form/Field.tsx'
import { field } from '../ui/form/Form.tsx'
import { FormSheet } from '../ui/form/FormSheet.tsx'
import { RadioGroup } from '../ui/form/RadioGroup.tsx'
import { useFieldError } from '../ui/form/useFieldError.ts'
import { toast } from '../ui/overlay/toast.ts'
import { Page, Section } from '../ui/page/Page.tsx'
import { EmptyState } from '../ui/table/EmptyState.tsx'
import { type Column, column, Table } from '../ui/table/Table.tsx'
import { Pill } from '../ui/text/Pill.tsx'
import { Time } from '../ui/text/Time.tsx'
import { type Invitation, type Member, useInvitations, useMembers } from './api.ts'
import { MemberActions } from './MemberActions.tsx'
import { RolesLink, RolesMatrix } from './RolesMatrix.tsx'
import { ROLE_WORDS, roleOptions } from './words.ts'

const route = getRouteApi('/o/$tenant/members')

const columns: readonly Column<Member>[] = [
  column('Name', ({ name, self }) => (
    <span className="inline-flex flex-wrap items-center gap-2 font-medium">
      {name} {self && <Pill tone="info">You</Pill>}
    </span>
  )),
  column('E-mail', ({ email }) => email, { width: 'wide' }),
  column('Role', ({ role }) => ROLE_WORDS[role].label),
  column('Two-factor', ({ twoFactorEnabled }) =>
    twoFactorEnabled ? <Pill tone="pass">On</Pill> : <Pill tone="neutral">Off</Pill>,
  ),
  column('Last active', ({ lastActiveAt, neverActive }) =>
    lastActiveAt === null ? (
      <span className="text-ink-2">{neverActive ? 'Never signed in' : 'Long ago or never'}</span>
    ) : (
      <Time at={lastActiveAt} as="day" />
    ),
  ),
  column('Actions', (member) => <MemberActions member={member} />, { hidden: 'corner', align: 'right' }),
]

/** Members and invitations, or what each role may do, which the forms that choose a role link to. */
export function Members() {
  const { name, whyNot } = useTenant()
  const { tab, invite } = route.useSearch()
  const navigate = route.useNavigate()
  const members = useMembers()
  const setInvite = (invite: true | undefined) => void navigate({ search: (search) => ({ ...search, invite }) })

  if (tab === 'roles')
    return (
      <Page title="Roles" context={name} description="What each role may do.">
        <RolesMatrix />
      </Page>
    )
  return (
    <Page
      title="Members"
      context={name}
      description="Who can sign in to this tenant, and with which role."
      actions={
        <Button look="primary" onClick={() => setInvite(true)} reason={whyNot('member.write')}>
          Invite
        </Button>
      }
    >
      <Table label="Members" list={members} columns={columns} rowKey={({ id }) => id} empty={null} />
      {/* its place depends on the rows above */}
      {members.data && <Invitations />}
      <InviteSheet open={invite === true} onClose={() => setInvite(undefined)} />
    </Page>
  )
}

const invitationColumns: readonly Column<Invitation>[] = [
  column('E-mail', ({ email }) => <span className="font-medium">{email}</span>, { width: 'wide' }),
  column('Role', ({ role }) => ROLE_WORDS[role].label),
  column('Invited by', ({ inviter }) => inviter),
  column('Expires', ({ expiresAt }) => <Expiry at={expiresAt} />),
  column('Actions', (invitation) => <InvitationActions invitation={invitation} />, { hidden: true, align: 'right' }),
]

function Expiry({ at }: { at: number }) {
  const [now] = useState(() => Date.now() / 1000)
  return at > now ? <Time at={at} as="relative" /> : <Pill tone="challenge">Expired</Pill>
}

/** Invitations that have not been accepted. */
function Invitations() {
  const invitations = useInvitations()
  return (
    <Section title="Invitations" description="Each can be used once, within 72 hours, by the address it was sent to.">
      <Table
        label="Invitations"
        list={invitations}
        columns={invitationColumns}
        rowKey={({ id }) => id}
        empty={<EmptyState title="No open invitations">People you invite are listed here until they join.</EmptyState>}
      />
    </Section>
  )
}

function InvitationActions({ invitation: { id, email, role } }: { invitation: Invitation }) {
  const tenant = useTenant()
  const invited = { tenant: tenant.slug, email, role }
  const mayInvite = reaches(tenant.role, role)
  const send = useMutation(
    trpc.members.invite.mutationOptions({
      onSuccess: () =>
        toast(`Invited ${email} again`, { description: 'They received a new e-mail. The old link no longer works.' }),
    }),
  )
  const revoke = useMutation(
    trpc.members.revokeInvitation.mutationOptions({
      onSuccess: () =>
        toast(`Invitation for ${email} revoked`, {
          description: 'Undo sends a new invitation.',
          ...(mayInvite && { undo: () => send.mutate(invited) }),
        }),
    }),
  )
  if (!tenant.may('member.write')) return null
  return (
    <span className="inline-flex justify-end gap-2">
      {mayInvite && (
        <Button
          size="small"
          busy={send.isPending}
          onClick={() => send.mutate(invited)}
          aria-label={`Send again: the invitation for ${email}`}
        >
          Send again
        </Button>
      )}
      <Button
        size="small"
        busy={revoke.isPending}
        onClick={() => revoke.mutate({ tenant: tenant.slug, id })}
        aria-label={`Revoke the invitation for ${email}`}
      >
        Revoke
      </Button>
    </span>
  )
}

const inviteShape = z.object({
  email: z.string().check(z.trim(), z.toLowerCase(), z.email('Enter an e-mail address.')),
  role: z.enum(ROLES),
})

/** The form that invites a person with a role. */
function InviteSheet({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { slug, name, role } = useTenant()
  const form = useForm<z.infer<typeof inviteShape>>({
    resolver: zodResolver(inviteShape),
    defaultValues: { email: '', role: 'developer' },
  })
  const invite = useMutation(
    trpc.members.invite.mutationOptions({
      meta: { inline: true },
      onSuccess: ({ email, replaced }) => {
        toast(replaced ? `Invited ${email} again` : `Invited ${email}`, {
          description: replaced
            ? 'They received a new e-mail, which expires in 72 hours. The old link no longer works.'
            : 'The invitation expires in 72 hours.',
        })
        form.reset()
        onClose()
      },
    }),
  )
  const close = () => {
    invite.reset()
    onClose()
  }
  return (
    <FormSheet
      open={open}
      onClose={close}
      title={`Invite to ${name}`}
      description="They receive an e-mail with a link, and join after signing in with that address."
      submit="Send invitation"
      mutation={useFieldError(form, invite)}
      onSubmit={form.handleSubmit((input) => invite.mutate({ tenant: slug, ...input }))}
    >
      <TextField label="E-mail" type="email" autoComplete="off" {...field(form, 'email')} />
      <Controller
        control={form.control}
        name="role"
        render={({ field: { value, onChange } }) => (
          <RadioGroup label="Role" value={value} onChange={onChange} options={roleOptions(role)} />
        )}
      />
      <RolesLink />
    </FormSheet>
  )
}
