import { isName } from '../contract/names.ts'
import { AppError } from '../kit/error.ts'

/** The name of a `what`, trimmed and composed (NFC), so that a search finds it however it was typed. Throws AppError. */
export function checkName(what: 'tenant' | 'site' | 'key', text: string): string {
  const name = text.trim().normalize()
  if (!isName(name)) throw new AppError('name-invalid', { noun: what })
  return name
}
