import { z } from 'zod'

/** A whole number, also as digits in a URL. */
export const count = (most: number) =>
  z.union([
    z.int().min(0).max(most),
    z
      .string()
      .regex(/^\d{1,16}$/)
      .transform(Number)
      .pipe(z.int().max(most)),
  ])

const moment = count(Number.MAX_SAFE_INTEGER).optional()

/** A period in Unix seconds: `from` inclusive, `to` exclusive; either may be absent. */
export const period = z.object({ from: moment, to: moment })

const second = count(Number.MAX_SAFE_INTEGER)

/** A period with both ends, at most 400 days: a year, and the month before it. */
export const wholePeriod = z
  .object({ from: second, to: second })
  .refine(({ from, to }) => from < to && to - from <= 400 * 86_400, 'a period of at most 400 days')

/** The first day of a month, as `2026-11-01`. */
export const monthDay = z.string().regex(/^20\d\d-(?:0[1-9]|1[0-2])-01$/)
