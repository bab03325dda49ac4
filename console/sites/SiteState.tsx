import { Pill } from '../ui/text/Pill.tsx'

/** Whether the site takes calls. */
export function SiteState({ paused }: { paused: boolean }) {
  return paused ? <Pill tone="challenge">Paused</Pill> : <Pill tone="pass">Live</Pill>
}
