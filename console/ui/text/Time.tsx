import { useEffect, useState } from 'react'
import { Tooltip } from '../overlay/Tooltip.tsx'
import { elapsed } from './format.ts'
import { useZone, type Zone, zoneName } from './zone.ts'

type As = 'relative' | 'moment' | 'second' | 'clock' | 'day'

const FORMATS = {
  moment: { dateStyle: 'medium', timeStyle: 'short' },
  second: { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', second: '2-digit' },
  clock: { timeStyle: 'medium' },
  day: { dateStyle: 'medium' },
} satisfies Record<Exclude<As, 'relative'>, Intl.DateTimeFormatOptions>

/** A time (Unix seconds) in the chosen zone. `relative` reads "4 min ago", with the absolute time in a tooltip. */
export function Time({ at, as = 'moment' }: { at: number; as?: As }) {
  return as === 'relative' ? <Relative at={at} /> : <Absolute at={at} as={as} />
}

function Absolute({ at, as }: { at: number; as: Exclude<As, 'relative'> }) {
  const zone = useZone()
  return <time dateTime={new Date(at * 1000).toISOString()}>{format(at, as, zone)}</time>
}

function Relative({ at }: { at: number }) {
  const zone = useZone()
  const [now, setNow] = useState(() => Date.now() / 1000)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now() / 1000), 10_000)
    return () => clearInterval(timer)
  }, [])
  return (
    <Tooltip text={`${format(at, 'moment', zone)} ${zoneName(zone)}`}>
      {/* a button, so that the keyboard reaches the absolute time as the mouse does */}
      <button type="button" className="cursor-default! rounded-xs whitespace-nowrap">
        <time dateTime={new Date(at * 1000).toISOString()}>
          {at > now + 1 ? `in ${elapsed(at - now)}` : `${elapsed(now - at)} ago`}
        </time>
      </button>
    </Tooltip>
  )
}

const formats = new Map<string, Intl.DateTimeFormat>()

function format(at: number, as: Exclude<As, 'relative'>, zone: Zone): string {
  const key = `${as} ${zone}`
  const known =
    formats.get(key) ?? new Intl.DateTimeFormat('en-GB', { ...FORMATS[as], ...(zone === 'utc' && { timeZone: 'UTC' }) })
  formats.set(key, known)
  return known.format(at * 1000)
}
