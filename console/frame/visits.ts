import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'

type RecentPage = { path: string; title: string }

/** Pages are remembered until the console is loaded again, the latest first. */
let visited: readonly RecentPage[] = []

const MOST_KEPT = 50

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

/** The visited pages, the latest first. */
export const visitedPages = (): readonly RecentPage[] => visited
