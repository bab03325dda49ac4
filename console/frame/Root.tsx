import { Tooltip } from '@base-ui/react/tooltip'
import { Outlet, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { Toasts } from '../ui/Toasts.tsx'
import { Reauthentication } from './Reauthentication.tsx'

/** Around everything: the skip link, toasts, the question for a fresh sign-in, and where the focus goes. */
export function Root() {
  useFocusOnNavigation()
  return (
    <Tooltip.Provider delay={400}>
      <a
        href="#main"
        className="fixed top-2 left-2 z-50 -translate-y-16 rounded-control bg-surface px-3 py-2 font-medium focus:translate-y-0"
      >
        Skip to content
      </a>
      <Outlet />
      <Reauthentication />
      <Toasts />
    </Tooltip.Provider>
  )
}

/** A new page is begun at its heading, as a loaded document would be read from its top. */
function useFocusOnNavigation(): void {
  const router = useRouter()
  useEffect(
    () =>
      router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
        // the first page has the browser's own focus
        if (!fromLocation || !pathChanged) return
        const heading = document.querySelector<HTMLElement>('main h1')
        heading?.focus({ preventScroll: true })
      }),
    [router],
  )
}
