import { useNavigate, useRouter } from '@tanstack/react-router'
import { History } from 'lucide-react'
import type { Command } from './CommandPalette.tsx'
import { visitedPages } from './visits.ts'

const MOST_SHOWN = 5

/** The title of a page without the names of the tenant and the product, which all titles have. */
export const shortTitle = (title: string, tenant: string): string =>
  title
    .split(' · ')
    .filter((part, n) => n === 0 || (part !== tenant && part !== 'Tollgate'))
    .join(' · ')

/** Commands for the last visited pages below `root`, without the current one. `name`: of the tenant, or `Staff`. */
export function useRecentPages(root: string, name: string): Command[] {
  const navigate = useNavigate()
  const { pathname } = useRouter().state.location
  return visitedPages()
    .filter(({ path }) => path !== pathname && (path === root || path.startsWith(`${root}/`)))
    .slice(0, MOST_SHOWN)
    .map(({ path, title }) => ({
      id: `recent ${path}`,
      label: shortTitle(title, name),
      icon: History,
      run: () => void navigate({ to: path }),
    }))
}
