import { lazy, Suspense, useEffect, useState } from 'react'
import { onReauthenticate } from './reauthenticate.ts'

const ReauthDialog = lazy(async () => ({ default: (await import('./ReauthDialog.tsx')).ReauthDialog }))

/** Shows the re-authentication dialog when the service requires a recent sign-in. */
export function Reauthentication() {
  const [answer, setAnswer] = useState<((proved: boolean) => void) | null>(null)
  useEffect(() => onReauthenticate(() => new Promise((resolve) => setAnswer(() => resolve))), [])
  if (!answer) return null
  return (
    <Suspense>
      <ReauthDialog
        onDone={(proved) => {
          answer(proved)
          setAnswer(null)
        }}
      />
    </Suspense>
  )
}
