import { InvalidError, MisconfiguredError, RefusedError, TollgateError, UnavailableError } from '@tollgate/node'
import { expect, test } from 'vitest'
import { adviseOn, logRefusal } from './refusals.ts'

test.each([
  [new UnavailableError('quota-exceeded', '', { status: 402 }), 402, 'repeat'],
  [new UnavailableError('rate-limited', '', { status: 429 }), 429, 'repeat'],
  [new UnavailableError('unavailable', '', { status: 503 }), 503, 'repeat'],
  [new UnavailableError('unreachable', ''), 503, 'repeat'],
  [new UnavailableError('internal-error', '', { status: 500 }), 503, 'repeat'],
  [new RefusedError('already-redeemed', '', { status: 409 }), 409, 'renew'],
  [new RefusedError('response-invalid', '', { status: 409 }), 409, 'renew'],
  [new MisconfiguredError('unauthorized', '', { status: 401 }), 500, 'leave'],
  [new MisconfiguredError('unexpected-answer', '', { status: 200 }), 500, 'leave'],
  [new InvalidError('bad-request', '', { status: 422 }), 500, 'leave'],
  [new TollgateError('of-a-newer-service', '', { status: 418 }), 500, 'leave'],
])('%o becomes %i and the visitor may %s', (error, status, next) => {
  expect(adviseOn(error, 'checkout')).toMatchObject({ status, next })
})

test('the wait is the one that the service asked for', () => {
  const error = new UnavailableError('rate-limited', '', { status: 429, retryAfter: 42 })
  expect(adviseOn(error, 'checkout').text).toContain('wait 42 seconds')
})

test('an outage is not logged as a misconfiguration', () => {
  const events: string[] = []
  const log = (event: string) => void events.push(event)
  logRefusal(log, new UnavailableError('unreachable', ''), {})
  logRefusal(log, new MisconfiguredError('unauthorized', ''), {})
  expect(events).toEqual(['tollgate-refused', 'tollgate-misconfigured'])
})
