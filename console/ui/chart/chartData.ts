import type { Zone } from '../text/zone.ts'

export type Tone = 'pass' | 'challenge' | 'block' | 'info' | 'brand' | 'ink'

/** `values`: one for each time; null where there is none. */
export type Series = { name: string; tone: Tone; values: readonly (number | null)[] }

export type ChartData = {
  /** Unix seconds at which each step begins. */
  times: readonly number[]
  /** Seconds: an hour or a day. */
  step: number
  series: readonly Series[]
}

/** The steps that get a name under the axis: midnights, or of one day each hour. */
export function labelled(times: readonly number[], step: number, zone: Zone): { index: number; text: string }[] {
  const timeZone = zone === 'utc' || step >= 86_400 ? { timeZone: 'UTC' } : {}
  const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', ...timeZone })
  const hour = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', ...timeZone })
  const byDay = times.length > 48 || step >= 86_400
  return times.flatMap((time, index) => {
    const clock = hour.format(time * 1000)
    if (byDay && step < 86_400 && clock !== '00:00') return []
    return [{ index, text: byDay ? day.format(time * 1000) : clock }]
  })
}

/** A step in words: a day, or the hour of one. */
export function stepName(time: number, step: number, zone: Zone): string {
  const timeZone = zone === 'utc' || step >= 86_400 ? { timeZone: 'UTC' } : {}
  const format = new Intl.DateTimeFormat('en-GB', {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    ...(step < 86_400 && { hour: '2-digit', minute: '2-digit' }),
    ...timeZone,
  })
  return format.format(time * 1000)
}
