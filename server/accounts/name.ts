import { AppError } from '../kit/error.ts'

/** The name of a `what`, trimmed: 1 to 120 characters, none of them a control character. Throws AppError. */
export function checkName(what: 'tenant' | 'site' | 'view', text: string): string {
  const name = text.trim()
  if (name === '' || name.length > 120 || /\p{Cc}/u.test(name)) throw new AppError('name-invalid', { noun: what })
  return name
}
