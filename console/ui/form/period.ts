import { useEffect, useMemo, useState } from 'react'
import * as z from 'zod/mini'
import { catch as fallBack } from 'zod/mini'

/** An optional URL parameter. An invalid value counts as missing. */
export const optionalParam = <Schema extends z.core.$ZodType>(schema: Schema) => fallBack(z.optional(schema), undefined)

type Params<Shape> = { [Name in keyof Shape]: ReturnType<typeof optionalParam<Extract<Shape[Name], z.core.$ZodType>>> }

/** Filters as URL parameters. */
export const filterParams = <Shape extends z.core.$ZodShape>({ shape }: z.ZodMiniObject<Shape>): Params<Shape> =>
  Object.fromEntries(Object.entries(shape).map(([name, schema]) => [name, optionalParam(schema)])) as Params<Shape>

const MINUTE = 60
const HOUR = 60 * MINUTE

/** Periods that end now, in seconds, in the order shown. */
const LENGTHS = { '24h': 24 * HOUR, '7d': 7 * 24 * HOUR, '30d': 30 * 24 * HOUR, '90d': 90 * 24 * HOUR } as const

export type Period = keyof typeof LENGTHS

/** The period of a page without one in its URL. */
export const DEFAULT_PERIOD: Period = '7d'

export const PERIODS = {
  '24h': 'Last 24 hours',
  '7d': 'Last 7 days',
  '30d': 'Last 30 days',
  '90d': 'Last 90 days',
} as const satisfies Record<Period, string>

const unixSeconds = z.int().check(z.minimum(0), z.maximum(8_640_000_000_000))

/** The period in a URL: one that ends now, or two times in Unix seconds. Spread it into a page's search parameters. */
export const periodSearch = {
  period: optionalParam(z.enum(['24h', '7d', '30d', '90d'])),
  from: optionalParam(unixSeconds),
  to: optionalParam(unixSeconds),
}

export type PeriodSearch = {
  period?: Period | undefined
  from?: number | undefined
  to?: number | undefined
}

/** Unix seconds, without `to` itself. */
export type Range = { from: number; to: number }

/** Whether the URL has two times in the right order. */
export const isFixed = ({ from, to }: PeriodSearch): boolean => from !== undefined && to !== undefined && from < to

/** The range of a period at a given time, in whole minutes, so that queries can be cached. */
export function rangeOf(search: PeriodSearch, nowSeconds: number): Range {
  const { period = DEFAULT_PERIOD, from, to } = search
  if (from !== undefined && to !== undefined && from < to)
    return { from: Math.floor(from / MINUTE) * MINUTE, to: Math.ceil(to / MINUTE) * MINUTE }
  const end = Math.ceil(nowSeconds / MINUTE) * MINUTE
  return { from: end - LENGTHS[period], to: end }
}

/** The range of a period now. */
export const rangeNow = (search: PeriodSearch): Range => rangeOf(search, Date.now() / 1000)

/** The same, fixed while the page shows the same period, so that a list does not change while it is read. */
export function useRange({ period, from, to }: PeriodSearch): Range {
  return useMemo(() => rangeNow({ period, from, to }), [period, from, to])
}

const STEP_MS = 60_000

/** The same, updated every minute. For figures that are reloaded as a whole. */
export function useMovingRange({ period, from, to }: PeriodSearch): Range {
  const [minute, setMinute] = useState(() => Math.floor(Date.now() / STEP_MS))
  useEffect(() => {
    const timer = setInterval(() => setMinute(Math.floor(Date.now() / STEP_MS)), STEP_MS)
    return () => clearInterval(timer)
  }, [])
  return useMemo(() => rangeOf({ period, from, to }, (minute * STEP_MS) / 1000 + 1), [minute, period, from, to])
}
