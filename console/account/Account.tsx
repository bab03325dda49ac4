import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation, useQuery } from '@tanstack/react-query'
import type { inferOutput } from '@trpc/tanstack-react-query'
import { useForm } from 'react-hook-form'
import * as z from 'zod/mini'
import { ZoneSwitch } from '../frame/DisplaySwitches.tsx'
import { auth, PASSWORD_HINT, password, unwrap } from '../session/auth.ts'
import { refreshMe, signOut, useMe } from '../session/me.ts'
import { trpc } from '../trpc.ts'
import { Button } from '../ui/form/Button.tsx'
import { TextField } from '../ui/form/Field.tsx'
import { Form, field } from '../ui/form/Form.tsx'
import { PasswordField } from '../ui/form/PasswordField.tsx'
import { nameShape } from '../ui/form/text.ts'
import { useFieldError } from '../ui/form/useFieldError.ts'
import { toast } from '../ui/overlay/toast.ts'
import { ErrorNote } from '../ui/page/ErrorNotice.tsx'
import { Page, Panel, Section } from '../ui/page/Page.tsx'
import { type Column, column, Table } from '../ui/table/Table.tsx'
import { counted } from '../ui/text/format.ts'
import { Pill } from '../ui/text/Pill.tsx'
import { Time } from '../ui/text/Time.tsx'
import { useZone, zoneName } from '../ui/text/zone.ts'
import { Activity } from './Activity.tsx'
import { Identities } from './Identities.tsx'
import { Passkeys } from './Passkeys.tsx'
import { SecondFactor } from './SecondFactor.tsx'
import { browserOf } from './words.ts'

/** The person: how they sign in, where they are signed in, and how the console looks to them. */
export function Account() {
  const { user, hasPassword } = useMe()
  const zone = useZone()
  return (
    <Page title="Account" description={user.email} actions={<Button onClick={() => void signOut()}>Sign out</Button>}>
      <Name />
      {hasPassword && <Password />}
      <div id="two-factor">
        <SecondFactor />
      </div>
      <Passkeys />
      <Identities />
      <Sessions />
      <Activity />
      <Panel title="Time zone" description={`Saved in this browser. Times are shown in ${zoneName(zone)}.`}>
        <div className="flex">
          <ZoneSwitch />
        </div>
      </Panel>
    </Page>
  )
}

const accountShape = z.object({
  name: nameShape('Enter your name.'),
})

function Name() {
  const { user } = useMe()
  const form = useForm({ resolver: zodResolver(accountShape), values: { name: user.name } })
  const rename = useMutation({
    meta: { inline: true },
    mutationFn: (input: z.infer<typeof accountShape>) => unwrap(auth.updateUser(input)),
    onSuccess: async () => {
      await refreshMe()
      toast('Name changed')
    },
  })
  return (
    <Panel title="Name" description="Shown to your team next to your actions.">
      <Form narrow onSubmit={form.handleSubmit((input) => rename.mutate(input))}>
        <TextField label="Name" autoComplete="name" {...field(form, 'name')} />
        <ErrorNote error={rename.error} />
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

const passwordShape = z.object({
  currentPassword: z.string().check(z.minLength(1, 'Enter your password.')),
  newPassword: password,
})

function Password() {
  const { user } = useMe()
  const form = useForm({
    resolver: zodResolver(passwordShape),
    defaultValues: { currentPassword: '', newPassword: '' },
  })
  const changePassword = useMutation({
    meta: { inline: true },
    mutationFn: (input: z.infer<typeof passwordShape>) =>
      unwrap(auth.changePassword({ ...input, revokeOtherSessions: true })),
    onSuccess: () => {
      form.reset()
      toast('Password changed', { description: 'You have been signed out of your other sessions.' })
    },
  })
  const { error } = useFieldError(form, changePassword)
  return (
    <Panel title="Password" description="Changing your password signs you out everywhere else.">
      <Form narrow onSubmit={form.handleSubmit((input) => changePassword.mutate(input))}>
        {/* tells password managers which account this password belongs to */}
        <input type="hidden" name="username" autoComplete="username" value={user.email} readOnly />
        <PasswordField label="Current password" autoComplete="current-password" {...field(form, 'currentPassword')} />
        <PasswordField
          label="New password"
          hint={PASSWORD_HINT}
          autoComplete="new-password"
          {...field(form, 'newPassword')}
        />
        <ErrorNote error={error} />
        <div>
          <Button type="submit" busy={changePassword.isPending}>
            Change password
          </Button>
        </div>
      </Form>
    </Panel>
  )
}

type Session = inferOutput<typeof trpc.session.list>[number]

const columns: readonly Column<Session>[] = [
  column('Browser', ({ userAgent }) => <span title={userAgent}>{browserOf(userAgent)}</span>, { width: 'wide' }),
  column('Signed in', ({ createdAt }) => <Time at={createdAt} as="relative" />),
  column('Expires', ({ expiresAt }) => <Time at={expiresAt} as="relative" />),
  column(
    'Action',
    (session) => (session.current ? <Pill tone="pass">This browser</Pill> : <EndButton session={session} />),
    { hidden: true, align: 'right' },
  ),
]

/** The sessions of the person who is signed in. */
function Sessions() {
  const sessions = useQuery(trpc.session.list.queryOptions())
  const endOthers = useMutation(
    trpc.session.revokeOthers.mutationOptions({
      onSuccess: ({ ended }) => toast(`Signed out of ${counted(ended, 'session')}`),
    }),
  )
  const others = sessions.data?.filter(({ current }) => !current).length ?? 0
  return (
    <Section
      title="Sessions"
      description="Browsers that are signed in to your account."
      actions={
        <Button
          busy={endOthers.isPending}
          reason={others === 0 ? 'You are not signed in anywhere else.' : undefined}
          onClick={() => endOthers.mutate()}
        >
          Sign out everywhere else
        </Button>
      }
    >
      <Table label="Sessions" list={sessions} columns={columns} rowKey={({ id }) => id} empty={null} />
    </Section>
  )
}

function EndButton({ session: { id, userAgent } }: { session: Session }) {
  const end = useMutation(
    trpc.session.revoke.mutationOptions({
      onSuccess: () => toast('Signed out of the session'),
    }),
  )
  return (
    <Button
      size="small"
      busy={end.isPending}
      onClick={() => end.mutate({ id })}
      aria-label={`End the session in ${browserOf(userAgent)}`}
    >
      End
    </Button>
  )
}
