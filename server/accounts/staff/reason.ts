import { AccountError } from '../error.ts'

/** The reason for a change by staff: 3 to 500 characters, trimmed. The tenant sees it in its audit log. Throws AccountError. */
export function reasonOf(text: string): string {
  const reason = text.trim()
  if (reason.length < 3 || reason.length > 500)
    throw new AccountError('invalid', 'Give a reason of 3 to 500 characters. The tenant sees it in its audit.')
  return reason
}
