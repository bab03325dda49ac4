import { Outlet, useRouter } from '@tanstack/react-router'
import { lazy, Suspense, useEffect } from 'react'
import { Reauthentication } from './Reauthentication.tsx'

// not needed before the page is shown
const Toasts = lazy(async () => ({ default: (await import('../ui/overlay/Toasts.tsx')).Toasts }))

/** The root of every page: skip link, toasts, re-authentication dialog and focus after navigation. */
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

/** Moves the focus to the heading of a new page, so that screen readers start there. */
function useFocusOnNavigation(): void {
  const router = useRouter()
  useEffect(
    () =>
      router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
        // on the first page the browser sets the focus
        if (!fromLocation || !pathChanged) return
        const heading = document.querySelector<HTMLElement>('main h1')
        heading?.focus({ preventScroll: true })
      }),
    [router],
  )
}
