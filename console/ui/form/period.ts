import { useEffect, useMemo, useState } from 'react'
import * as z from 'zod/mini'
import { lenient } from './lenient.ts'

const MINUTE = 60
const HOUR = 60 * MINUTE

/** Periods that end now, in seconds, in the order shown. */
const LENGTHS = { '24h': 24 * HOUR, '7d': 7 * 24 * HOUR, '30d': 30 * 24 * HOUR, '90d': 90 * 24 * HOUR } as const

export type Period = keyof typeof LENGTHS

/** What a page without a period in its URL shows. */
export const DEFAULT_PERIOD: Period = '7d'

export const PERIODS = {
  '24h': 'Last 24 hours',
  '7d': 'Last 7 days',
  '30d': 'Last 30 days',
  '90d': 'Last 90 days',
} as const satisfies Record<Period, string>

const moment = z.int().check(z.minimum(0), z.maximum(8_640_000_000_000))

/** The period in a URL, to be spread into a page's `validateSearch`: one that ends now, or two moments in Unix seconds. */
export const periodSearch = {
  period: lenient(z.enum(['24h', '7d', '30d', '90d'])),
  from: lenient(moment),
  to: lenient(moment),
}

export type PeriodSearch = {
  period?: Period | undefined
  from?: number | undefined
  to?: number | undefined
}

/** Unix seconds: `from` belongs to it, `to` does not. */
export type Range = { from: number; to: number }

/** Whether the URL names two moments, in the right order. */
export const isFixed = ({ from, to }: PeriodSearch): boolean => from !== undefined && to !== undefined && from < to

/** What the URL means at this moment, in whole minutes, so that what is asked stays the same for a while. */
export function rangeOf(search: PeriodSearch, nowSeconds: number): Range {
  const { period = DEFAULT_PERIOD, from, to } = search
  if (from !== undefined && to !== undefined && from < to)
    return { from: Math.floor(from / MINUTE) * MINUTE, to: Math.ceil(to / MINUTE) * MINUTE }
  const end = Math.ceil(nowSeconds / MINUTE) * MINUTE
  return { from: end - LENGTHS[period], to: end }
}

/** What it means now. */
export const rangeNow = (search: PeriodSearch): Range => rangeOf(search, Date.now() / 1000)

/** The same, held for as long as the page shows the same period: what is being read must not move. */
export function useRange({ period, from, to }: PeriodSearch): Range {
  return useMemo(() => rangeNow({ period, from, to }), [period, from, to])
}

const STEP_MS = 60_000

/** The same, moving on with time: for what is read whole and again, and stays open on somebody's wall. */
export function useMovingRange({ period, from, to }: PeriodSearch): Range {
  const [minute, setMinute] = useState(() => Math.floor(Date.now() / STEP_MS))
  useEffect(() => {
    const timer = setInterval(() => setMinute(Math.floor(Date.now() / STEP_MS)), STEP_MS)
    return () => clearInterval(timer)
  }, [])
  return useMemo(() => rangeOf({ period, from, to }, (minute * STEP_MS) / 1000 + 1), [minute, period, from, to])
}
