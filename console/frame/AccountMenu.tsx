import { Link } from '@tanstack/react-router'
import { BookOpen, ChevronsUpDown, LifeBuoy, LogOut, UserRound } from 'lucide-react'
import { useMe } from '../session/me.ts'
import { signOut } from '../session/signOut.ts'
import { Menu, MenuItem, MenuLink, MenuSeparator } from '../ui/overlay/Menu.tsx'

/** The account menu. */
export function AccountMenu() {
  const { user, staff } = useMe()
  return (
    <Menu
      align="start"
      side="top"
      trigger={
        <button
          type="button"
          aria-label={`Account menu of ${user.name}`}
          className="flex w-full items-center gap-2 rounded-control px-1.5 py-1 text-left transition-colors hover:bg-line"
        >
          <span className="min-w-0 grow">
            <span className="block truncate text-13 font-medium">{user.name}</span>
            <span className="block truncate text-11 text-ink-2">{user.email}</span>
          </span>
          <ChevronsUpDown size={14} aria-hidden className="shrink-0 text-ink-2" />
        </button>
      }
    >
      <MenuLink icon={UserRound} render={<Link to="/account" />}>
        Account
      </MenuLink>
      {staff && (
        <MenuLink icon={LifeBuoy} render={<Link to="/staff" />}>
          Staff console
        </MenuLink>
      )}
      <MenuLink icon={BookOpen} href="/docs">
        API docs
      </MenuLink>
      <MenuSeparator />
      <MenuItem icon={LogOut} onClick={() => void signOut()}>
        Sign out
      </MenuItem>
    </Menu>
  )
}
