import { Autocomplete } from '@base-ui/react/autocomplete'
import { Dialog } from '@base-ui/react/dialog'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import {
  BookOpen,
  Building2,
  Clock,
  Globe,
  LogOut,
  type LucideIcon,
  Moon,
  Plus,
  Search,
  Sun,
  UserRound,
} from 'lucide-react'
import { signOut, useMe } from '../session/me.ts'
import { hasStaffLevel, STAFF_NAV } from '../staff/nav.ts'
import { trpc } from '../trpc.ts'
import { FLOATING } from '../ui/overlay/popup.ts'
import { setZone, useZone } from '../ui/text/zone.ts'
import { useDocsUrl } from './deployment.ts'
import { NAV } from './nav.ts'
import { chooseTheme } from './theme.ts'
import { useTenant } from './useTenant.ts'

/** The command palette on a tenant's pages. */
export function Palette({ onClose }: { onClose: () => void }) {
  return <CommandPalette groups={useCommands()} onClose={onClose} />
}

/** A searchable list of commands. Arrows and Enter choose, Escape closes. */
export function CommandPalette({ groups, onClose }: { groups: CommandGroup[]; onClose: () => void }) {
  const run = (command: Command) => {
    onClose()
    command.run()
  }
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-scrim" />
        <Dialog.Popup
          aria-label="Search or jump to"
          className={`fixed top-[12vh] left-1/2 z-40 flex max-h-[70dvh] w-[calc(100vw-2rem)] max-w-140 -translate-x-1/2 flex-col overflow-hidden rounded-panel ${FLOATING}`}
        >
          <Autocomplete.Root
            open
            inline
            items={groups}
            autoHighlight="always"
            keepHighlight
            itemToStringValue={({ label, also }: Command) => `${label} ${also ?? ''}`}
          >
            <div className="flex items-center gap-2.5 border-b border-line px-4">
              <Search size={16} aria-hidden className="shrink-0 text-ink-2" />
              <Autocomplete.Input
                aria-label="Search or jump to"
                placeholder="Search or jump to…"
                className="h-12 grow bg-transparent text-14 outline-none placeholder:text-ink-3"
              />
            </div>
            <Autocomplete.Empty className="text-13 text-ink-2">
              <div className="p-4">No results.</div>
            </Autocomplete.Empty>
            <Autocomplete.List className="min-h-0 overflow-y-auto scroll-py-2 px-2 not-empty:py-2">
              {({ label, items }: CommandGroup) => (
                <Autocomplete.Group key={label} items={items} className="not-last:mb-2">
                  <Autocomplete.GroupLabel className="px-2 py-1 text-12 text-ink-2">{label}</Autocomplete.GroupLabel>
                  <Autocomplete.Collection>
                    {(command: Command) => (
                      <Autocomplete.Item
                        key={command.id}
                        value={command}
                        onClick={() => run(command)}
                        className="flex min-h-9 cursor-default items-center gap-2.5 rounded-control px-2 text-13 outline-none select-none data-highlighted:bg-sunken data-highlighted:outline-2 data-highlighted:-outline-offset-2 data-highlighted:outline-brand"
                      >
                        <command.icon size={15} aria-hidden className="shrink-0 text-ink-2" />
                        <span className="min-w-0 grow truncate">{command.label}</span>
                        {command.also !== undefined && (
                          <span className="truncate font-mono text-12 text-ink-2 max-sm:hidden">{command.also}</span>
                        )}
                      </Autocomplete.Item>
                    )}
                  </Autocomplete.Collection>
                </Autocomplete.Group>
              )}
            </Autocomplete.List>
          </Autocomplete.Root>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

/** The commands of the palette: pages, sites, other tenants and actions. */
function useCommands(): CommandGroup[] {
  const { slug, may } = useTenant()
  const me = useMe()
  const common = useCommonCommands()
  const staff = useStaffCommands()
  const navigate = useNavigate()
  const sites = useQuery(trpc.sites.list.queryOptions({ tenant: slug, limit: 200 }))

  const pages = NAV.filter(({ permission }) => may(permission)).map(
    ({ to, label, icon }): Command => ({
      id: to,
      label,
      icon,
      run: () => void navigate({ to, params: { tenant: slug } }),
    }),
  )
  const siteCommands = (sites.data?.rows ?? []).map(
    ({ id, name, sitekey }): Command => ({
      id,
      label: name,
      also: sitekey,
      icon: Globe,
      run: () => void navigate({ to: '/o/$tenant/sites/$site', params: { tenant: slug, site: id } }),
    }),
  )
  const tenants = me.tenants
    .filter((tenant) => tenant.slug !== slug)
    .map(
      ({ id, slug, name }): Command => ({
        id,
        label: `Switch to ${name}`,
        icon: Building2,
        run: () => void navigate({ to: '/o/$tenant', params: { tenant: slug } }),
      }),
    )
  const actions: Command[] = [
    ...(may('site.write')
      ? [
          {
            id: 'create-site',
            label: 'Create a site',
            icon: Plus,
            run: () => void navigate({ to: '/o/$tenant/sites', params: { tenant: slug }, search: { create: true } }),
          },
        ]
      : []),
    ...tenants,
    ...common,
  ]
  return [
    { label: 'Pages', items: pages },
    { label: 'Sites', items: siteCommands },
    { label: 'Actions', items: actions },
    { label: 'Staff', items: staff },
  ].filter(({ items }) => items.length > 0)
}

export type Command = {
  id: string
  label: string
  /** A second search text, shown beside the label. */
  also?: string
  icon: LucideIcon
  run: () => void
}

type CommandGroup = { label: string; items: Command[] }

/** Commands that every page has. */
export function useCommonCommands(): Command[] {
  const docsUrl = useDocsUrl()
  const zone = useZone()
  const navigate = useNavigate()
  return [
    { id: 'light', label: 'Use the light theme', icon: Sun, run: () => chooseTheme('light') },
    { id: 'dark', label: 'Use the dark theme', icon: Moon, run: () => chooseTheme('dark') },
    {
      id: 'zone',
      label: zone === 'utc' ? 'Show local times' : 'Show times in UTC',
      icon: Clock,
      run: () => setZone(zone === 'utc' ? 'local' : 'utc'),
    },
    { id: 'account', label: 'Go to your account', icon: UserRound, run: () => void navigate({ to: '/account' }) },
    ...(docsUrl === null
      ? []
      : [{ id: 'docs', label: 'Read the API docs', icon: BookOpen, run: () => location.assign(docsUrl) }]),
    { id: 'sign-out', label: 'Sign out', icon: LogOut, run: () => void signOut() },
  ]
}

/** The staff pages; none for others. */
export function useStaffCommands(): Command[] {
  const { staff } = useMe()
  const navigate = useNavigate()
  return STAFF_NAV.filter(({ level }) => hasStaffLevel(staff, level)).map(({ to, label, icon }) => ({
    id: to,
    label: `Staff: ${label}`,
    icon,
    run: () => void navigate({ to }),
  }))
}
