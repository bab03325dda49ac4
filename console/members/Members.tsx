import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { inferOutput } from '@trpc/tanstack-react-query'
import { useTenant } from '../frame/useTenant.ts'
import { trpc } from '../trpc.ts'
import { Button } from '../ui/form/Button.tsx'
import { Page } from '../ui/page/Page.tsx'
import { Tabs } from '../ui/page/Tabs.tsx'
import { type Column, DataTable } from '../ui/table/DataTable.tsx'
import { Pill } from '../ui/text/Pill.tsx'
import { Time } from '../ui/text/Time.tsx'
import { Invitations } from './Invitations.tsx'
import { Invite } from './Invite.tsx'
import { MemberActions } from './MemberActions.tsx'
import { RolesMatrix } from './RolesMatrix.tsx'
import { ROLE_WORDS } from './words.ts'

const route = getRouteApi('/o/$tenant/members')

const listOptions = (tenant: string) =>
  trpc.members.list.infiniteQueryOptions({ tenant }, { getNextPageParam: ({ nextCursor }) => nextCursor })

export type Member = inferOutput<typeof trpc.members.list>['rows'][number]

const columns: readonly Column<Member>[] = [
  {
    header: 'Name',
    cell: ({ name, self }) => (
      <span className="inline-flex flex-wrap items-center gap-2 font-medium">
        {name} {self && <Pill tone="info">You</Pill>}
      </span>
    ),
  },
  { header: 'E-mail', width: 'wide', cell: ({ email }) => email },
  { header: 'Role', cell: ({ role }) => ROLE_WORDS[role].label },
  {
    header: 'Two-factor',
    cell: ({ twoFactorEnabled }) => (twoFactorEnabled ? <Pill tone="pass">On</Pill> : <Pill tone="neutral">Off</Pill>),
  },
  { header: 'Joined', cell: ({ createdAt }) => <Time at={createdAt} as="relative" /> },
  { header: 'Actions', hidden: true, align: 'right', cell: (member) => <MemberActions member={member} /> },
]

/** Members, invitations and roles. */
export function Members() {
  const { slug, name, whyNot } = useTenant()
  const { tab = 'people', invite } = route.useSearch()
  const navigate = route.useNavigate()
  const members = useInfiniteQuery(listOptions(slug))
  const setInvite = (invite: true | undefined) => void navigate({ search: (search) => ({ ...search, invite }) })

  return (
    <Page
      title="Members"
      context={name}
      description="People in this tenant and their roles."
      actions={
        <Button look="primary" onClick={() => setInvite(true)} reason={whyNot('member.write')}>
          Invite
        </Button>
      }
    >
      <Tabs
        label="Members"
        value={tab}
        onChange={(tab) => void navigate({ search: { tab: tab === 'people' ? undefined : tab }, replace: true })}
        tabs={{ people: 'People', roles: 'Roles' }}
      >
        {tab === 'people' ? (
          <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
            <DataTable label="Members" list={members} columns={columns} rowKey={({ id }) => id} empty={null} />
            <Invitations />
          </div>
        ) : (
          <RolesMatrix />
        )}
      </Tabs>
      <Invite open={invite === true} onClose={() => setInvite(undefined)} />
    </Page>
  )
}
