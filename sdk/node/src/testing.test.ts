import { afterAll, beforeAll, expect, test } from 'vitest'
import { codesOf } from '../../../server/api/endpoints.ts'
import { openTestApp, type TestApp } from '../../../test/support/app.ts'
import { makeSite } from '../../../test/support/make.ts'
import { listen } from '../../testing/listen.ts'
import { Tollgate } from './client.ts'
import { createIdempotencyKey, createNonce } from './draw.ts'
import { COMPONENT, ERRORS } from './messages.ts'
import { solve } from './testing.ts'
import { testKeys } from './testKeys.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.close())

const page = { action: 'signup', hostname: 'shop.example' }
const open = (keys: { sitekey: string; secret: string }) => new Tollgate({ url: app.url, ...keys })

test('the token of solve() passes', async () => {
  const tollgate = open(testKeys.pass)
  const intent = await tollgate.createIntent({ ...page, nonce: createNonce() })
  const response = await solve({ url: app.url, ...intent })
  const { intentId } = intent
  const fields = { ...page, response, intentId, idempotencyKey: createIdempotencyKey() }
  expect(await tollgate.verify(fields)).toMatchObject({ assessment: 'passed', intentId })
})

test('what the service refuses is its error', async () => {
  const intent = await open(testKeys.fail).createIntent({ ...page, nonce: createNonce() })
  await expect(solve({ url: app.url, ...intent })).rejects.toMatchObject({
    code: 'solution-invalid',
    status: 422,
    message: expect.stringContaining('as always with the test key `fail`'),
  })
  const strange = { ...intent, hostname: 'other.example' }
  await expect(solve({ url: app.url, ...strange })).rejects.toMatchObject({
    code: 'origin-not-allowed',
    message: expect.stringContaining('did not receive the origin of a page of this hostname'),
  })
})

test('each code that only the component gets has a sentence', () => {
  const known = new Set([...Object.keys(ERRORS), ...Object.keys(COMPONENT)])
  const codes = (['/challenge', '/solve'] as const)
    .flatMap((path) => codesOf(path))
    .filter((code) => code !== 'bad-field')
  expect(codes.filter((code) => !known.has(code))).toEqual([])
})

test('a service that is not there, and an answer that is cut off or not the service’s, are its errors', async () => {
  const intent = { ...page, sitekey: testKeys.pass.sitekey, intentId: crypto.randomUUID() }
  await expect(solve({ url: 'http://127.0.0.1:1', ...intent })).rejects.toMatchObject({
    code: 'unreachable',
    message: expect.stringContaining('127.0.0.1:1'),
  })
  const server = await listen((request, reply) => {
    if (request.url === '/a/challenge') return void reply.end('<h1>Log in</h1>')
    reply.writeHead(200, { 'content-length': 100 }).write('{"challenge":', () => request.socket.end())
  })
  try {
    await expect(solve({ url: `${server.url}/a`, ...intent })).rejects.toMatchObject({ code: 'unexpected-answer' })
    await expect(solve({ url: server.url, ...intent })).rejects.toMatchObject({ code: 'unreachable', retryable: true })
  } finally {
    await server.close()
  }
})

test('another site’s challenge is not solved', async () => {
  const { sitekey } = await makeSite(app.ctx)
  const asked = solve({ url: app.url, sitekey, intentId: crypto.randomUUID(), hostname: page.hostname })
  await expect(asked).rejects.toThrow(new TypeError('Tollgate: solve() is for test keys only.'))
})

test.each(['spent', 'expired', 'quota', 'down'] as const)(
  'the key %s answers any text that looks like a token',
  async (name) => {
    const codes = { spent: 'already-redeemed', expired: 'intent-expired', quota: 'quota-exceeded', down: 'unavailable' }
    const tollgate = new Tollgate({ url: app.url, ...testKeys[name], deadline: 300 })
    const { intentId } = await tollgate.createIntent({ ...page, nonce: createNonce() })
    const fields = { ...page, response: 'tgr_x', intentId, idempotencyKey: createIdempotencyKey() }
    await expect(tollgate.verify(fields)).rejects.toMatchObject({ code: codes[name] })
  },
)
