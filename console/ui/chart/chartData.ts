import { dayOf, HOUR, LOCALE, minuteOf, type Zone } from '../text/zone.ts'

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

/** Minutes between the labels of an axis of minutes or hours. */
const APART = [5, 10, 15, 30, 60, 120, 180, 360, 720, 1440]

/**
 * At most `most` labels of the time axis: round times of the day within two days, with the day's name at its start; the first
 * step of days for longer.
 */
export function axisLabels(
  times: readonly number[],
  step: number,
  zone: Zone,
  most: number,
): { index: number; text: string }[] {
  const timeZone = zone === 'utc' || step >= 86_400 ? { timeZone: 'UTC' } : {}
  const day = new Intl.DateTimeFormat(LOCALE, { day: 'numeric', month: 'short', ...timeZone })
  // steps are whole hours of UTC, so in some zones none begins at midnight
  const beginsDay = (time: number) => step >= 86_400 || dayOf(time, zone) !== dayOf(time - step, zone)
  const label = (time: number, index: number, format: Intl.DateTimeFormat) => ({
    index,
    text: format.format(time * 1000),
  })
  if (times.length > 48 || step >= 86_400) {
    const days = times.flatMap((time, index) => (beginsDay(time) ? [label(time, index, day)] : []))
    return thinOut(days, most)
  }
  const clock = new Intl.DateTimeFormat(LOCALE, { hour: HOUR, minute: '2-digit', ...timeZone })
  const every = (apart: number) =>
    times.flatMap((time, index) =>
      minuteOf(time, zone) % apart < step / 60 ? [label(time, index, beginsDay(time) ? day : clock)] : [],
    )
  return APART.map(every).find((labels) => labels.length <= most) ?? []
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

/** The name of a step of a chart, which says if it is not over yet. */
export const nameInChart = (time: number, step: number, zone: Zone): string =>
  isUnfinished(time, step) ? `${stepName(time, step, zone)}, so far` : stepName(time, step, zone)

/** Whether the step is not over, so that its values will grow. */
export const isUnfinished = (time: number, step: number): boolean => (time + step) * 1000 > Date.now()

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
