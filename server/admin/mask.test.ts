import { initTRPC, TRPCError } from '@trpc/server'
import { fetchRequestHandler } from '@trpc/server/adapters/fetch'
import { expect, test } from 'vitest'
import { mask } from './mask.ts'

const t = initTRPC.context<{ requestId: string }>().create({ errorFormatter: mask, isDev: true })

const router = t.router({
  inside: t.procedure.query(() => {
    throw new Error('connection to postgres://tollgate:hunter2@db failed')
  }),
  onPurpose: t.procedure.query(() => {
    throw new TRPCError({ code: 'NOT_FOUND', message: 'not-found' })
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
      message: 'internal-error',
      data: { code: 'INTERNAL_SERVER_ERROR', httpStatus: 500, requestId: 'req_1' },
    },
  })
})

test('shows the message of a deliberate error without its stack', async () => {
  const { status, text } = await call('onPurpose')
  expect(status).toBe(404)
  expect(text).toContain('not-found')
  expect(text).not.toContain('stack')
})

test('masks an error in creating the context like any internal error', async () => {
  const { status, text } = await call('inside', () => {
    throw new Error('hunter2')
  })
  expect(status).toBe(500)
  expect(text).not.toContain('hunter2')
})
