import { initTRPC } from '@trpc/server'
import { fetchRequestHandler } from '@trpc/server/adapters/fetch'
import { expect, test } from 'vitest'
import { ConnectionError } from '../kit/db/driver.ts'
import { AppError } from '../kit/error.ts'
import { formatError, reasonOf, toTrpcError } from './errors.ts'

const t = initTRPC.context<{ requestId: string }>().create({ errorFormatter: formatError, isDev: true })

const router = t.router({
  inside: t.procedure.query(() => {
    throw new Error('no such table at postgres://tollgate:hunter2@db')
  }),
  publicOne: t.procedure.query(() => {
    throw new AppError('nonce-conflict')
  }),
  atField: t.procedure.query(() => {
    throw toTrpcError(new AppError('member-exists', { email: 'ada@shop.example', field: 'email' }))
  }),
  onPurpose: t.procedure.query(() => {
    throw toTrpcError(new AppError('hostname-not-found', { hostname: 'shop.example' }))
  }),
})

const call = async (path: string, createContext = () => ({ requestId: 'req_1' })) => {
  const req = new Request(`http://localhost/trpc/${path}`)
  const reply = await fetchRequestHandler({ endpoint: '/trpc', req, router, createContext })
  return { status: reply.status, text: await reply.text() }
}

test('shows the browser only the request id of an internal error', async () => {
  const { status, text } = await call('inside')
  expect(status).toBe(500)
  expect(JSON.parse(text)).toEqual({
    error: {
      code: -32603,
      message: 'The service failed. Its log has details under the request id.',
      data: { code: 'INTERNAL_SERVER_ERROR', httpStatus: 500, requestId: 'req_1', reason: 'internal-error' },
    },
  })
})

test('shows the reason and the sentence of a deliberate error without its stack', async () => {
  const { status, text } = await call('onPurpose')
  expect(status).toBe(404)
  expect(JSON.parse(text)).toMatchObject({
    error: { message: '"shop.example" is not one of the site’s hostnames.', data: { reason: 'hostname-not-found' } },
  })
  expect(text).not.toContain('stack')
})

test('names the field of the form that a deliberate error is about', async () => {
  const { text } = await call('atField')
  expect(JSON.parse(text)).toMatchObject({
    error: { message: 'ada@shop.example is already a member.', data: { reason: 'member-exists', field: 'email' } },
  })
})

test('masks an error of the public API and does not show its code', async () => {
  const { status, text } = await call('publicOne')
  expect(status).toBe(500)
  expect(text).not.toContain('nonce-conflict')
})

test('answers a time-out of the database as unavailable', () => {
  expect(toTrpcError(new AppError('unavailable'))).toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  const timeout = new ConnectionError(new Error('read ETIMEDOUT'))
  expect([reasonOf(timeout), toTrpcError(timeout).code]).toEqual(['unavailable', 'SERVICE_UNAVAILABLE'])
})

test('masks an error in creating the context like any internal error', async () => {
  const { status, text } = await call('inside', () => {
    throw new Error('hunter2')
  })
  expect(status).toBe(500)
  expect(text).not.toContain('hunter2')
})
