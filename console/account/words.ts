import type { inferOutput } from '@trpc/tanstack-react-query'
import type { trpc } from '../trpc.ts'

export type Activity = inferOutput<typeof trpc.session.activity>[number]

/** What a person did with their account. */
export const ACTIVITY = {
  'session.create': 'Signed in',
  'passkey.add': 'Passkey added',
  'passkey.remove': 'Passkey removed',
  'two_factor.enable': 'Two-factor authentication turned on',
  'two_factor.disable': 'Two-factor authentication turned off',
  'recovery_codes.create': 'New recovery codes created',
  'recovery_code.use': 'Recovery code used',
  'identity.link': 'Identity linked',
  'identity.unlink': 'Identity unlinked',
  'password.change': 'Password changed',
  'password.reset': 'Password reset by e-mail',
} as const satisfies Record<Activity['action'], string>

/** Patterns in user agents. The first match counts, because most user agents name other browsers too. */
const BROWSERS = { Edge: /Edg\//, Opera: /OPR\//, Firefox: /Firefox\//, Chrome: /Chrome\//, Safari: /Safari\// }
const SYSTEMS = { Android: /Android/, iOS: /iPhone|iPad/, Windows: /Windows/, macOS: /Mac OS/, Linux: /Linux/ }

/** A readable name for a user agent: `Firefox on Linux`. Not suitable as proof of anything. */
export function browserOf(userAgent: string): string {
  const browser = find(BROWSERS, userAgent)
  const system = find(SYSTEMS, userAgent)
  return [browser ?? 'A browser', system && `on ${system}`].filter(Boolean).join(' ')
}

const find = (names: Readonly<Record<string, RegExp>>, text: string): string | undefined =>
  Object.entries(names).find(([, pattern]) => pattern.test(text))?.[0]
