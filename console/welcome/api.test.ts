import { TRPCClientError } from '@trpc/client'
import { expect, test } from 'vitest'
import { type Overview, problemOf } from './api.ts'

const running: Overview = {
  version: '1.0.0',
  mode: 'production',
  database: { kind: 'external', version: '18.4', ok: true },
  startedAt: 1_700_000_000,
  shopUrl: null,
  story: [],
  docsUrl: '/docs',
  signUp: true,
  grants: true,
  passwords: true,
  provider: null,
  supportUrl: null,
  tryPage: false,
}

const failed = (reply?: Response) =>
  problemOf({
    data: running,
    error: TRPCClientError.from(new TypeError('Failed to fetch'), reply ? { meta: { response: reply } } : {}),
    isError: true,
  })

test('a service with its database has no problem', () => {
  expect(problemOf({ data: running, error: null, isError: false })).toBeNull()
})

test('before the first response there is no problem', () => {
  expect(problemOf({ data: undefined, error: null, isError: false })).toBeNull()
})

test('a service without its database is degraded, not failed', () => {
  const data = { ...running, database: { ...running.database, version: '', ok: false } }
  expect(problemOf({ data, error: null, isError: false })).toMatchObject({ word: 'Degraded' })
})

test('no response means unreachable, even after an earlier success', () => {
  expect(failed()).toMatchObject({ word: 'Unreachable', requestId: null })
})

test('a response by a proxy means unreachable', () => {
  expect(failed(new Response('Bad gateway', { status: 502 }))).toMatchObject({ word: 'Unreachable', requestId: null })
})

test('the request id of a response outside tRPC comes from its header', () => {
  const reply = Response.json({ error: 'unavailable' }, { status: 503, headers: { 'X-Request-Id': 'req_1' } })
  expect(failed(reply)).toMatchObject({ word: 'Overloaded', requestId: 'req_1' })
})

test('the request id of a failure comes from its tRPC error', () => {
  const data = { code: 'INTERNAL_SERVER_ERROR', httpStatus: 500, requestId: 'req_2' }
  const error = TRPCClientError.from({ error: { code: -32603, message: 'internal-error', data } })
  expect(problemOf({ data: undefined, error, isError: true })).toMatchObject({ word: 'Failing', requestId: 'req_2' })
})
