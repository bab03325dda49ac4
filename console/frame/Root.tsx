import { Outlet, useRouter } from '@tanstack/react-router'
import { lazy, Suspense, useEffect } from 'react'
import { Reauthentication } from './Reauthentication.tsx'

// nothing is said before the page is there
const Toasts = lazy(async () => ({ default: (await import('../ui/Toasts.tsx')).Toasts }))

/** Around everything: the skip link, toasts, the question for a fresh sign-in, and where the focus goes. */
export function Root() {
  useFocusOnNavigation()
  return (
    <>
      <a
        href="#main"
        className="fixed top-2 left-2 z-50 rounded-control bg-surface px-3 py-2 font-medium not-focus:sr-only"
      >
        Skip to content
      </a>
      <Outlet />
      <Reauthentication />
      <Suspense>
        <Toasts />
      </Suspense>
    </>
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
