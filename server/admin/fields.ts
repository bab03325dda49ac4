import { z } from 'zod'
import { count } from '../contract/filters.ts'
import { hasAtMost, isStorable } from '../contract/names.ts'

/** A text of at most `most` characters that PostgreSQL can store. */
export const boundedText = (most: number) => z.string().refine((text) => hasAtMost(most, text) && isStorable(text))

/** At most this many units are set, added or removed at once. */
export const UNITS_MAX = 1_000_000_000_000

/** Units of the monthly quota. */
export const quota = z.int().min(0).max(UNITS_MAX)

/** The first second of 2100. PostgreSQL refuses times that JavaScript can count. */
export const LATEST = 4_102_444_800

const second = count(LATEST)

/** A period in Unix seconds: `from` inclusive, `to` exclusive; either may be absent. */
export const period = z.object({ from: z.optional(second), to: z.optional(second) })

/** A period with both ends, at most 400 days: a year, and the month before it. */
export const wholePeriod = z
  .object({ from: second, to: second })
  .refine(({ from, to }) => from < to && to - from <= 400 * 86_400, 'a period of at most 400 days')

/** The first day of a month, as `2026-11-01`. */
export const monthDay = z.string().regex(/^20\d\d-(?:0[1-9]|1[0-2])-01$/)
