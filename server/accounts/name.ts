import { isName } from '../contract/names.ts'
import { AppError } from '../kit/error.ts'

/** The name of a `what`, trimmed. Throws AppError. */
export function checkName(what: 'tenant' | 'site' | 'view', text: string): string {
  const name = text.trim()
  if (!isName(name)) throw new AppError('name-invalid', { noun: what })
  return name
}
