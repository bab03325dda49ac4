import { hasAtMost } from '../../contract/names.ts'
import { AppError } from '../../kit/error.ts'

/** The reason for a change by staff: 3 to 500 characters, trimmed. The tenant sees it in its audit log. Throws AppError. */
export function reasonOf(text: string): string {
  const reason = text.trim()
  if (reason.length < 3 || !hasAtMost(500, reason)) throw new AppError('reason-invalid')
  return reason
}
