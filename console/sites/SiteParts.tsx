import { useTenant } from '../frame/useTenant.ts'
import { Button } from '../ui/form/Button.tsx'
import { Pill } from '../ui/text/Pill.tsx'
import { suggestHostname } from './siteShape.ts'

/** Whether the site accepts calls. */
export function SiteStatePill({ paused }: { paused: boolean }) {
  if (useTenant().suspended) return <Pill tone="block">Suspended</Pill>
  return paused ? <Pill tone="challenge">Paused</Pill> : <Pill tone="pass">Live</Pill>
}

/** Below a field with an invalid hostname: a button that enters the hostname that was probably meant. */
export function HostnameSuggestion({
  error,
  typed,
  onUse,
}: {
  error: string | undefined
  typed: string
  onUse: (hostname: string) => void
}) {
  const suggested = error === undefined ? null : suggestHostname(typed)
  if (suggested === null) return null
  return (
    <div>
      <Button onClick={() => onUse(suggested)}>Use {suggested}</Button>
    </div>
  )
}
