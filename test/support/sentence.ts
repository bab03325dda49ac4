import { expect } from 'vitest'
import { isReason } from '../../server/contract/reasons.ts'

/** A code, such as `not-found`: programs read it, people never do. */
export const CODE = /^[a-z]+(-[a-z0-9]+)*$/

/** Expects an error of the console's API to name its reason, and to have a sentence for the person. */
export function expectSentence({ reason = '', message }: { reason?: string; message: string }): void {
  expect({ reason, known: isReason(reason) }).toEqual({ reason, known: true })
  expect(message).toMatch(/ .*\.$/)
  expect(message).not.toMatch(CODE)
}
