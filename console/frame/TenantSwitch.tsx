import { Link } from '@tanstack/react-router'
import { Check, ChevronsUpDown, Plus } from 'lucide-react'
import { useMe } from '../session/me.ts'
import { Menu, MenuGroup, MenuLink, MenuSeparator } from '../ui/overlay/Menu.tsx'
import { Mark } from './Logo.tsx'
import { useTenant } from './useTenant.ts'

/** Shows the current tenant and switches to another. */
export function TenantSwitch() {
  const { slug, name } = useTenant()
  const { tenants } = useMe()
  return (
    <Menu
      align="start"
      trigger={
        <button
          type="button"
          aria-label={`Tenant ${name}: switch`}
          className="flex h-9 w-full shrink-0 items-center gap-2 rounded-control px-1.5 text-left text-13 font-semibold transition-colors hover:bg-line"
        >
          <Mark />
          <span className="min-w-0 grow truncate">{name}</span>
          <ChevronsUpDown size={14} aria-hidden className="shrink-0 text-ink-2" />
        </button>
      }
    >
      <MenuGroup label="Tenants">
        {tenants.map((tenant) => (
          <MenuLink
            key={tenant.id}
            render={<Link to="/o/$tenant" params={{ tenant: tenant.slug }} />}
            {...(tenant.slug === slug && { icon: Check })}
          >
            {tenant.name}
          </MenuLink>
        ))}
      </MenuGroup>
      <MenuSeparator />
      <MenuLink icon={Plus} render={<Link to="/welcome" />}>
        Create tenant
      </MenuLink>
    </Menu>
  )
}
