import { dayOf, HOUR, LOCALE, type Zone } from '../text/zone.ts'

export type Tone = 'pass' | 'challenge' | 'block' | 'info' | 'brand' | 'ink'

/** `values`: one per time; null if missing. */
export type Series = { name: string; tone: Tone; values: readonly (number | null)[] }

export type ChartData = {
  /** The start of each step. Unix seconds. */
  times: readonly number[]
  /** The length of a step in seconds: an hour or a day. */
  step: number
  series: readonly Series[]
  marks?: readonly ChartMark[]
}

export const NO_MARKS: readonly ChartMark[] = []

export type MarkKind = 'change' | 'key' | 'incident'

/** Something that happened at a time, or from `at` until `to`. Unix seconds. `text` says what. */
export type ChartMark = { id: string; kind: MarkKind; at: number; to?: number; text: string }

/** The labels of the time axis: the first step of every day; within one or two days, every step. */
export function axisLabels(times: readonly number[], step: number, zone: Zone): { index: number; text: string }[] {
  const timeZone = zone === 'utc' || step >= 86_400 ? { timeZone: 'UTC' } : {}
  const day = new Intl.DateTimeFormat(LOCALE, { day: 'numeric', month: 'short', ...timeZone })
  const hour = new Intl.DateTimeFormat(LOCALE, { hour: HOUR, minute: '2-digit', ...timeZone })
  const byDay = times.length > 48 || step >= 86_400
  // steps are whole hours of UTC, so in some zones none begins at midnight
  const beginsDay = (time: number) => step >= 86_400 || dayOf(time, zone) !== dayOf(time - step, zone)
  return times.flatMap((time, index) => {
    if (byDay && !beginsDay(time)) return []
    return [{ index, text: (byDay ? day : hour).format(time * 1000) }]
  })
}

/** The name of a step: its day, and its hour if steps are shorter than a day. */
export function stepName(time: number, step: number, zone: Zone): string {
  const timeZone = zone === 'utc' || step >= 86_400 ? { timeZone: 'UTC' } : {}
  const format = new Intl.DateTimeFormat(LOCALE, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    ...(step < 86_400 && { hour: HOUR, minute: '2-digit' }),
    ...timeZone,
  })
  return format.format(time * 1000)
}

/** Round numbers from 0 up to at least `max`, about `count` of them. Their distance is 1, 2 or 5 times a power of ten. */
export function axisTicks(max: number, count = 4): number[] {
  if (!(max > 0)) return [0, 1]
  const rough = max / count
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = ([1, 2, 5, 10].find((times) => times * power >= rough * 0.999) ?? 10) * power
  const ticks = [0]
  while ((ticks.at(-1) ?? 0) < max * 0.999) ticks.push(Number((ticks.length * step).toPrecision(12)))
  return ticks
}

/** At most `most` of the items, evenly spread, always with the last one. */
export function thinOut<Item>(items: readonly Item[], most: number): Item[] {
  const every = Math.max(1, Math.ceil(items.length / Math.max(1, most)))
  return items.filter((_, index) => (items.length - 1 - index) % every === 0)
}
