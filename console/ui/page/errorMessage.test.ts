import { TRPCClientError } from '@trpc/client'
import { expect, test } from 'vitest'
import { REASONS, type Reason, sentenceOf } from '../../../server/contract/reasons.ts'
import { BUSY, describeError, Refused } from './errorMessage.ts'

const failed = (message: string, data?: object, status = 403) =>
  TRPCClientError.from(
    { error: { code: -32_003, message, ...(data && { data }) } },
    { meta: { response: new Response(null, { status, headers: { 'x-request-id': 'req_1' } }) } },
  )

const fixed = Object.entries(REASONS).filter(([, { sentence }]) => typeof sentence === 'string') as [Reason, unknown][]

test.each(fixed)('%s is shown as a sentence', (reason) => {
  const error = failed(sentenceOf(reason, {}), { code: 'FORBIDDEN', httpStatus: 403, requestId: 'req_1', reason })
  expect(describeError(error).title).toMatch(/^[^a-z].* /)
})

test('a refusal that cannot be repeated is shown with the sentence that the service sends', () => {
  const data = { code: 'SERVICE_UNAVAILABLE', httpStatus: 503, requestId: 'req_1', reason: 'email-off' }
  const sentence = sentenceOf('email-off', {})
  expect(describeError(failed(sentence, data, 503))).toEqual({
    title: sentence,
    advice: '',
    requestId: 'req_1',
  })
})

test('an overloaded service is named as such, also among other answers to one request, and when it answers too late', () => {
  const data = { code: 'SERVICE_UNAVAILABLE', httpStatus: 503, requestId: 'req_1', reason: 'unavailable' }
  expect(describeError(failed('…', data, 207)).title).toBe(BUSY.title)
  expect(describeError(TRPCClientError.from(new DOMException('…', 'TimeoutError'))).title).toBe(BUSY.title)
})

test('a code from a service of another version is not shown', () => {
  const data = { code: 'FORBIDDEN', httpStatus: 403, requestId: 'req_1' }
  expect(describeError(failed('view-as-read-only', data)).title).toBe('The service failed')
  expect(describeError(failed('view-as-read-only')).title).toBe('The service failed')
})

test('what does not come from the service is shown in words too', () => {
  expect(describeError(new Refused('Wrong password.')).title).toBe('Wrong password.')
  expect(describeError(new TypeError('x is undefined')).title).toBe('Something went wrong on this page')
  expect(describeError(TRPCClientError.from(new TypeError('fetch failed'))).title).toBe('Can’t reach Tollgate')
})
