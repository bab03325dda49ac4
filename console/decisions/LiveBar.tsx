import { Pause, Play, Radio } from 'lucide-react'
import { Button } from '../ui/form/Button.tsx'
import { IconButton } from '../ui/form/IconButton.tsx'
import { failureOf } from '../ui/page/failure.ts'
import { Pill } from '../ui/text/Pill.tsx'
import type { LiveState } from './live.ts'

/** Turns live updates on and off, and pauses them. */
export function LiveBar({
  on,
  state,
  paused,
  reason,
  onSwitch,
  onPause,
}: {
  on: boolean
  state: LiveState
  paused: boolean
  reason: string | undefined
  onSwitch: (on: boolean) => void
  onPause: (paused: boolean) => void
}) {
  return (
    <>
      <Button aria-pressed={on} reason={reason} onClick={() => onSwitch(!on)}>
        <Radio size={14} aria-hidden className={on ? 'text-pass' : ''} />
        Live
      </Button>
      {on && (
        <IconButton
          framed
          icon={paused ? Play : Pause}
          label={paused ? 'Resume' : 'Pause'}
          onClick={() => onPause(!paused)}
        />
      )}
      <output className="min-w-0">{on && <State state={state} paused={paused} />}</output>
    </>
  )
}

function State({ state, paused }: { state: LiveState; paused: boolean }) {
  if (typeof state === 'object') return <span className="text-12 text-block">{failureOf(state.failed).title}</span>
  if (state === 'connecting') return <Pill tone="challenge">Connecting</Pill>
  return paused ? <Pill tone="neutral">Paused</Pill> : <Pill tone="pass">Live</Pill>
}
