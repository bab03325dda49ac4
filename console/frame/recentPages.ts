import { useNavigate, useRouter } from '@tanstack/react-router'
import { History } from 'lucide-react'
import { useEffect } from 'react'
import type { Command } from './CommandPalette.tsx'

type RecentPage = { path: string; title: string }

/** Pages are remembered until the console is loaded again, the latest first. */
let visited: readonly RecentPage[] = []

const MOST_KEPT = 50
const MOST_SHOWN = 5

/** Remembers each page when it is left, by the title that it has then. */
export function useVisits(): void {
  const router = useRouter()
  useEffect(
    () =>
      router.subscribe('onBeforeNavigate', ({ fromLocation, pathChanged }) => {
        if (!fromLocation || !pathChanged || document.title.includes('not found')) return
        visited = remember(visited, { path: fromLocation.pathname, title: document.title })
      }),
    [router],
  )
}

/** The pages with a newly visited one. */
export const remember = (pages: readonly RecentPage[], page: RecentPage): RecentPage[] =>
  [page, ...pages.filter(({ path }) => path !== page.path)].slice(0, MOST_KEPT)

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
  return visited
    .filter(({ path }) => path !== pathname && (path === root || path.startsWith(`${root}/`)))
    .slice(0, MOST_SHOWN)
    .map(({ path, title }) => ({
      id: `recent ${path}`,
      label: shortTitle(title, name),
      icon: History,
      run: () => void navigate({ to: path }),
    }))
}
