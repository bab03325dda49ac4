import { createContext, useContext, useEffect, useState } from 'react'
import { relative } from './format.ts'
import { dayOf, HOUR, LOCALE, useZone, type Zone, zoneName } from './zone.ts'

type As = 'relative' | 'moment' | 'zoned' | 'second' | 'clock' | 'day'

const FORMATS = {
  moment: { dateStyle: 'medium', timeStyle: 'short' },
  zoned: { day: 'numeric', month: 'short', hour: HOUR, minute: '2-digit' },
  second: { day: 'numeric', month: 'short', hour: HOUR, minute: '2-digit', second: '2-digit' },
  minute: { timeStyle: 'short' },
  clock: { timeStyle: 'medium' },
  day: { dateStyle: 'medium' },
  full: { dateStyle: 'medium', timeStyle: 'medium' },
} satisfies Record<Exclude<As, 'relative'> | 'minute' | 'full', Intl.DateTimeFormatOptions>

/** Whether times are compared with those of other rows: a table shows relative ones as dates. */
export const InTable = createContext(false)

/**
 * A time (Unix seconds) in the chosen zone. `relative` reads "4 min ago", but has the date and time in a table; `zoned` names the
 * zone, and `second` names it if clocks have been changed since: the heading of its column has the zone of now. The title has date,
 * time and zone of each.
 */
export function Time({ at, as = 'moment' }: { at: number; as?: As }) {
  const zone = useZone()
  const compared = useContext(InTable)
  return (
    <time
      dateTime={new Date(at * 1000).toISOString()}
      title={format(at, 'full', zone)}
      className={compared ? 'xl:whitespace-nowrap' : undefined}
    >
      {as !== 'relative' ? (
        format(at, as, zone)
      ) : compared ? (
        format(at, 'moment', zone)
      ) : (
        // a new one for another time, which may be newer than the last tick of its clock
        <Relative key={at} at={at} zone={zone} />
      )}
    </time>
  )
}

/** The time now (Unix seconds), to ten seconds. */
export function useNow(): number {
  const [now, setNow] = useState(() => Date.now() / 1000)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now() / 1000), 10_000)
    return () => clearInterval(timer)
  }, [])
  return now
}

function Relative({ at, zone }: { at: number; zone: Zone }) {
  const now = useNow()
  return relative(at, now, (at) => ({ day: dayOf(at, zone), time: format(at, 'minute', zone) }))
}

const formats = new Map<string, Intl.DateTimeFormat>()

function format(at: number, as: keyof typeof FORMATS, zone: Zone): string {
  const key = `${as} ${zone}`
  const known =
    formats.get(key) ?? new Intl.DateTimeFormat(LOCALE, { ...FORMATS[as], ...(zone === 'utc' && { timeZone: 'UTC' }) })
  formats.set(key, known)
  const name = zoneName(zone, at)
  const named = as === 'zoned' || as === 'full' || (as === 'second' && name !== zoneName(zone))
  return `${known.format(at * 1000)}${named ? ` ${name}` : ''}`
}
