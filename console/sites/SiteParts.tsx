import { useTenant } from '../frame/useTenant.ts'
import { Pill } from '../ui/text/Pill.tsx'

/** Whether the site accepts calls. */
export function SiteStatePill({ paused }: { paused: boolean }) {
  if (useTenant().suspended) return <Pill tone="block">Suspended</Pill>
  return paused ? <Pill tone="challenge">Paused</Pill> : <Pill tone="pass">Live</Pill>
}
