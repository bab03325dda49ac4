import { useQuery } from '@tanstack/react-query'
import { Outlet, useLocation } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { may, type Permission } from '../../server/contract/permissions.ts'
import { trpc } from '../trpc.ts'
import { Page } from '../ui/page/Page.tsx'
import { EmptyState } from '../ui/table/EmptyState.tsx'
import { NAV, type NavItem } from './nav.ts'
import { useTenant } from './useTenant.ts'

/** The page of the navigation to which the address belongs; undefined for the overview. */
export function useNavItem(): NavItem | undefined {
  const path = useLocation().pathname.split('/')[3]
  return NAV.find(({ to }) => path !== undefined && to === `/o/$tenant/${path}`)
}

/** The page of the address if the person may read it, else why not and whom to ask. */
export function PermittedOutlet() {
  const { may, name } = useTenant()
  const page = useNavItem()
  if (!page || may(page.permission)) return <Outlet />
  return (
    <Page title={page.label} context={name}>
      <Denied
        permission={page.permission}
        title={page.denied ?? `You don’t have access to ${page.noun ?? page.label.toLowerCase()}`}
      />
    </Page>
  )
}

/** The children if the person has the permission, otherwise why they are hidden and whom to ask. */
export function WithPermission({
  permission,
  title,
  children,
}: {
  permission: Permission
  title: string
  children: ReactNode
}) {
  return useTenant().may(permission) ? children : <Denied permission={permission} title={title} />
}

/** People shown at most. */
const MOST_ASKED = 2

function Denied({ permission, title }: { permission: Permission; title: string }) {
  return (
    <EmptyState title={title}>
      {/* they can change roles */}
      <WhomToAsk permission={permission} able="member.write" />
    </EmptyState>
  )
}

/** Why the person may not, and who can help: those who have `able`, which is the same permission if it is not given. */
export function WhomToAsk({ permission, able = permission }: { permission: Permission; able?: Permission }) {
  const { slug, whyNot } = useTenant()
  const { data } = useQuery(trpc.members.list.queryOptions({ tenant: slug, limit: 200 }))
  const people = (data?.rows ?? []).filter(({ role }) => may(role, able)).slice(0, MOST_ASKED)
  return (
    <>
      {whyNot(permission)}
      {people.length > 0 && ` Ask ${people.map(({ name, role }) => `${name} (${role})`).join(' or ')}.`}
    </>
  )
}
