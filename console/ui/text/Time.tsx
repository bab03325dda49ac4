import { useEffect, useState } from 'react'
import { Tooltip } from '../overlay/Tooltip.tsx'
import { relative } from './format.ts'
import { dayOf, HOUR, LOCALE, useZone, type Zone, zoneName } from './zone.ts'

type As = 'relative' | 'moment' | 'zoned' | 'second' | 'clock' | 'day'

const FORMATS = {
  moment: { dateStyle: 'medium', timeStyle: 'short' },
  zoned: { day: 'numeric', month: 'short', hour: HOUR, minute: '2-digit', timeZoneName: 'short' },
  second: { day: 'numeric', month: 'short', hour: HOUR, minute: '2-digit', second: '2-digit' },
  minute: { timeStyle: 'short' },
  clock: { timeStyle: 'medium' },
  day: { dateStyle: 'medium' },
} satisfies Record<Exclude<As, 'relative'> | 'minute', Intl.DateTimeFormatOptions>

/** A time (Unix seconds) in the chosen zone. `relative` reads "4 min ago", with the absolute time in a tooltip; `zoned` names the zone. */
export function Time({ at, as = 'moment' }: { at: number; as?: As }) {
  // a new one for another time, which may be newer than the last tick of its clock
  return as === 'relative' ? <Relative key={at} at={at} /> : <Absolute at={at} as={as} />
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
          {relative(at, now, (at) => ({ day: dayOf(at, zone), time: format(at, 'minute', zone) }))}
        </time>
      </button>
    </Tooltip>
  )
}

const formats = new Map<string, Intl.DateTimeFormat>()

function format(at: number, as: keyof typeof FORMATS, zone: Zone): string {
  const key = `${as} ${zone}`
  const known =
    formats.get(key) ?? new Intl.DateTimeFormat(LOCALE, { ...FORMATS[as], ...(zone === 'utc' && { timeZone: 'UTC' }) })
  formats.set(key, known)
  return known.format(at * 1000)
}
