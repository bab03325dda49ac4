import { TollgateError } from '@tollgate/node'
import { expect, test } from 'vitest'
import { adviseOn, isMisconfiguration } from './refusals.ts'

const RETRYABLE = new Set([undefined, 429, 502, 503, 504])

function refuse(status: number | undefined, code: string, retryAfter?: number): TollgateError {
  return new TollgateError(code, code, { status, retryAfter, retryable: RETRYABLE.has(status) })
}

test.each([
  [402, 'quota-exceeded', 402, 'repeat'],
  [409, 'already-redeemed', 409, 'renew'],
  [409, 'intent-expired', 409, 'renew'],
  [409, 'response-invalid', 409, 'renew'],
  [429, 'rate-limited', 429, 'repeat'],
  [503, 'unavailable', 503, 'repeat'],
  [undefined, 'unreachable', 503, 'repeat'],
  [500, 'internal-error', 503, 'repeat'],
  [502, 'unreachable', 503, 'repeat'],
  [401, 'unauthorized', 500, 'leave'],
  [403, 'site-disabled', 500, 'leave'],
  [404, 'not-found', 500, 'leave'],
  [422, 'bad-request', 500, 'leave'],
  [200, 'unexpected-answer', 500, 'leave'],
  [409, 'unexpected-answer', 500, 'leave'],
])('%s %s becomes %i and the visitor may %s', (status, code, shown, next) => {
  expect(adviseOn(refuse(status, code), 'checkout')).toMatchObject({ status: shown, next })
})

test('no status of Tollgate becomes a success', () => {
  const statuses = Array.from({ length: 600 }, (_, status) => adviseOn(refuse(status, 'any'), 'signup').status)
  expect(Math.min(...statuses)).toBeGreaterThanOrEqual(400)
})

test('the wait is the one that the service asked for', () => {
  expect(adviseOn(refuse(429, 'rate-limited', 42), 'checkout').text).toContain('wait 42 seconds')
})

test('an outage is not taken for a misconfiguration', () => {
  expect(isMisconfiguration(refuse(undefined, 'unreachable'))).toBe(false)
  expect(isMisconfiguration(refuse(402, 'quota-exceeded'))).toBe(false)
})
