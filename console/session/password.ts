import * as z from 'zod/mini'

export const PASSWORD_HINT = 'At least 10 characters. A few random words make a strong password.'

/** The rules for a new password. */
export const password = z
  .string()
  .check(
    z.minLength(10, 'The password needs at least 10 characters.'),
    z.maxLength(128, 'The password may have at most 128 characters.'),
  )
