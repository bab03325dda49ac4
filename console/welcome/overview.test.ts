import { TRPCClientError } from '@trpc/client'
import { expect, test } from 'vitest'
import { faultOf, type Overview } from './overview.ts'

const running: Overview = {
  version: '1.0.0',
  mode: 'production',
  database: { kind: 'external', version: '18.4', ok: true },
  startedAt: 1_700_000_000,
  shopUrl: null,
  docsUrl: '/docs',
  counts: null,
}

const failed = (reply?: Response) =>
  faultOf({
    data: running,
    error: TRPCClientError.from(new TypeError('Failed to fetch'), reply ? { meta: { response: reply } } : {}),
    isError: true,
  })

test('a service with its database has no fault', () => {
  expect(faultOf({ data: running, error: null, isError: false })).toBeNull()
})

test('before the first answer nothing is called a fault', () => {
  expect(faultOf({ data: undefined, error: null, isError: false })).toBeNull()
})

test('a service without its database is degraded, not failed', () => {
  const data = { ...running, database: { ...running.database, version: '', ok: false } }
  expect(faultOf({ data, error: null, isError: false })).toMatchObject({ word: 'Degraded' })
})

test('no reply at all means unreachable, whatever an earlier answer said', () => {
  expect(failed()).toMatchObject({ word: 'Unreachable', requestId: null })
})

test('a proxy that answers in the place of the service means unreachable', () => {
  expect(failed(new Response('Bad gateway', { status: 502 }))).toMatchObject({ word: 'Unreachable', requestId: null })
})

test('a reply outside tRPC gives its request id from the header', () => {
  const reply = Response.json({ error: 'unavailable' }, { status: 503, headers: { 'X-Request-Id': 'req_1' } })
  expect(failed(reply)).toMatchObject({ word: 'Overloaded', requestId: 'req_1' })
})

test('a fault of the service gives the request id of its tRPC error', () => {
  const data = { code: 'INTERNAL_SERVER_ERROR', httpStatus: 500, requestId: 'req_2' }
  const error = TRPCClientError.from({ error: { code: -32603, message: 'internal-error', data } })
  expect(faultOf({ data: undefined, error, isError: true })).toMatchObject({ word: 'Failing', requestId: 'req_2' })
})
