import { Outlet, useRouter } from '@tanstack/react-router'
import { Suspense, useEffect, useState } from 'react'
import { type Occasion, onReauthenticate } from '../session/reauthenticate.ts'
import { lazyPart } from '../ui/overlay/lazyPart.ts'
import { ASKED } from './useAsked.ts'

// not needed before the page is shown
const Toasts = lazyPart(async () => (await import('../ui/overlay/Toasts.tsx')).Toasts)

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

/**
 * Moves the focus to the heading of a new page, so that screen readers start there. A dialog that was opened while the page was
 * loading keeps it.
 */
function useFocusOnNavigation(): void {
  const router = useRouter()
  useEffect(
    () =>
      router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
        // on the first page the browser sets the focus
        if (!fromLocation || !pathChanged) return
        if (document.querySelector('[role=dialog][data-open]')) return
        // a field of the new page that took the focus keeps it, and so does what the link leads to
        const active = document.activeElement
        if (active?.matches(`main input, main [${ASKED}]`) || (active?.id && location.hash === `#${active.id}`)) return
        const heading = document.querySelector<HTMLElement>('main h1')
        heading?.focus({ preventScroll: true })
      }),
    [router],
  )
}

const ReauthDialog = lazyPart(async () => (await import('./ReauthDialog.tsx')).ReauthDialog)

/** Shows the re-authentication dialog when a call needs a recent sign-in or a new session. */
function Reauthentication() {
  const [asked, setAsked] = useState<{ occasion: Occasion; answer: (proved: boolean) => void } | null>(null)
  useEffect(() => onReauthenticate((occasion) => new Promise((answer) => setAsked({ occasion, answer }))), [])
  if (!asked) return null
  return (
    <Suspense>
      <ReauthDialog
        occasion={asked.occasion}
        onDone={(proved) => {
          asked.answer(proved)
          setAsked(null)
        }}
      />
    </Suspense>
  )
}
