import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { testKeys } from '@tollgate/node'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { openTestApp, type TestApp } from '../../../server/testing/app.ts'
import { solvePuzzles } from '../../../server/testing/solver.ts'
import { createShop as createExpressShop } from './express.ts'
import { createShop as createFastifyShop } from './fastify.ts'
import { createHandlers } from './next.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.close())

/** What the operator is told. */
const logged: string[] = []
beforeEach(() => {
  logged.length = 0
  vi.spyOn(console, 'error').mockImplementation((text: string) => void logged.push(text))
})
afterEach(() => vi.restoreAllMocks())

const shops: { close(): unknown }[] = []
afterEach(async () => {
  for (const shop of shops.splice(0)) await shop.close()
})

type Settings = Parameters<typeof createExpressShop>[0]

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  shops.push({ close: () => server.closeAllConnections() ?? server.close() })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** What a framework would do with route handlers. */
const toListener =
  ({ GET, POST }: ReturnType<typeof createHandlers>): RequestListener =>
  (incoming, outgoing) =>
    void (async () => {
      const isGet = incoming.method === 'GET'
      const { cookie = '', 'content-type': type = '' } = incoming.headers
      const asked = new Request(`http://localhost${incoming.url}`, {
        method: incoming.method ?? 'GET',
        headers: { cookie, 'content-type': type },
        ...(!isGet && { body: await buffer(incoming) }),
      })
      const answer = await (isGet ? GET : POST)(asked)
      outgoing.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text())
    })()

const OPEN: Record<string, (settings: Settings) => Promise<string>> = {
  express: (settings) => serve(createExpressShop(settings)),
  fastify: async (settings) => {
    const shop = createFastifyShop(settings)
    shops.push(shop)
    return shop.listen({ port: 0, host: '127.0.0.1' })
  },
  next: (settings) => serve(toListener(createHandlers(settings))),
}

describe.each(Object.entries(OPEN))('the example for %s', (_, open) => {
  const settings = (keys: { sitekey: string; secret: string } = testKeys.pass) => ({
    ...keys,
    url: app.url,
    hostname: 'localhost',
    sessionKey: 'a key of the shop alone',
  })

  async function show(shop: string, cookie = '') {
    const reply = await fetch(`${shop}/checkout`, { headers: { cookie } })
    const page = await reply.text()
    const [, attempt = ''] = /name="attempt" value="([^"]+)"/.exec(page) ?? []
    const [, intent = ''] = /data-intent="([^"]+)"/.exec(page) ?? []
    return { status: reply.status, page, attempt, intent, cookie: reply.headers.get('set-cookie')?.split(';')[0] ?? '' }
  }

  /** What the component does. */
  async function solve(intent: string, keys: { sitekey: string; secret: string } = testKeys.pass): Promise<string> {
    const from = { origin: 'http://localhost' }
    const { body } = await app.client.challenge(keys, intent, from)
    const solution = solvePuzzles(body as { seed: string; count: number; target: number })
    const fields = { intent_id: intent, challenge: body['challenge'], solution }
    return String((await app.client.solve(keys, fields, from)).body['response'])
  }

  async function submit(shop: string, cookie: string, fields: Record<string, string>) {
    const reply = await fetch(`${shop}/checkout`, {
      method: 'POST',
      headers: { cookie },
      body: new URLSearchParams({ email: 'ada@example.com', ...fields }),
      redirect: 'manual',
    })
    return { status: reply.status, text: await reply.text() }
  }

  const decisions = async (intent: string): Promise<number> =>
    (await app.sql.query('select count(*)::int as n from decision where id = $1', [intent])).rows[0].n

  test('takes an order from intent to decision, however often it is sent', async () => {
    const shop = await open(settings())
    const form = await show(shop)
    expect(form.page).toContain(`<script src="${app.url}/widget.js" async defer></script>`)
    const fields = { attempt: form.attempt, 'svc-captcha-response': await solve(form.intent) }
    const sent = await Promise.all([1, 2, 3].map(() => submit(shop, form.cookie, fields)))
    expect([...sent, await submit(shop, form.cookie, fields)]).toEqual(
      Array.from({ length: 4 }, () => ({ status: 200, text: 'Thank you for your order.' })),
    )
    expect(await decisions(form.intent)).toBe(1)
  })

  test('takes no order without a token, with a forged one, or from somebody else', async () => {
    const shop = await open(settings())
    const form = await show(shop)
    const { attempt, cookie, intent } = form
    expect(await submit(shop, cookie, { attempt, 'svc-captcha-response': '' })).toMatchObject({ status: 422 })
    expect(await submit(shop, cookie, { attempt })).toMatchObject({ status: 422 })
    const token = await solve(intent)
    expect(await submit(shop, '', { attempt, 'svc-captcha-response': token })).toMatchObject({ status: 403 })
    expect(await submit(shop, cookie, { attempt: 'x', 'svc-captcha-response': token })).toMatchObject({ status: 403 })
    const other = await show(shop, cookie)
    const forged = { attempt: other.attempt, 'svc-captcha-response': token }
    expect(await submit(shop, cookie, forged)).toMatchObject({ status: 303 })
    expect([await decisions(intent), await decisions(other.intent)]).toEqual([0, 0])
  })

  test.each([
    ['quota', 503],
    ['spent', 303],
    ['expired', 303],
  ] as const)('takes no order with the test key %s', async (name, status) => {
    const keys = testKeys[name]
    const shop = await open(settings(keys))
    const form = await show(shop)
    const fields = { attempt: form.attempt, 'svc-captcha-response': await solve(form.intent, keys) }
    expect(await submit(shop, form.cookie, fields)).toMatchObject({ status })
  })

  test('shows no form with a secret that is revoked', async () => {
    const secret = 'tg_secret_k3PbQ9xT2LmVw7ZyR4dNc8HsJ6fGa1UeXo5CvBtKqMn0htdcX'
    expect((await show(await open(settings({ ...testKeys.pass, secret })))).status).toBe(500)
    expect(logged).toEqual([
      expect.stringMatching(/^The secret key is unknown .*\(unauthorized, status 401, req_\w+\)$/),
    ])
  })
})
