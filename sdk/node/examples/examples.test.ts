import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { testKeys } from '@tollgate/node'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '../../../test/support/app.ts'
import { openTestDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { solvePuzzles } from '../../../test/support/solver.ts'
import { listen } from '../../testing/listen.ts'

// Each example runs as a merchant would run it: in its own process with its own database.

const PROGRAMS = {
  express: 'sdk/node/examples/express.ts',
  fastify: 'sdk/node/examples/fastify.ts',
  next: 'sdk/node/testing/serveNext.ts',
}
const SESSION_KEY = 'a key of the shop alone'
type Keys = { sitekey: string; secret: string }

let app: TestApp
let home: TestDatabase
let sql: pg.Pool
beforeAll(async () => {
  app = await openTestApp()
  home = await openTestDatabase({ empty: true })
  sql = new pg.Pool({ connectionString: home.url, max: 2 })
  sql.on('error', () => {})
})
afterAll(async () => {
  await sql.end()
  await Promise.all([app.close(), home.close()])
})

const open: { close(): Promise<unknown> }[] = []
afterEach(async () => {
  for (const each of open.splice(0)) await each.close()
})

/** Starts an example and waits until it prints its URL. `output` returns everything that it wrote. */
async function start(program: string, keys: Keys, url = app.url): Promise<{ url: string; output(): string }> {
  const child = spawn(process.execPath, ['--import', 'tsx', program], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      PORT: '0',
      DATABASE_URL: home.url,
      TOLLGATE_URL: url,
      TOLLGATE_SITEKEY: keys.sitekey,
      TOLLGATE_SECRET: keys.secret,
      SESSION_KEY,
    },
  })
  let output = ''
  const ended = once(child, 'exit')
  open.push({ close: () => (child.kill(), ended) })
  return new Promise((resolve, reject) => {
    const listen = (chunk: unknown) => {
      output += String(chunk)
      const [, shop] = /^(http:\/\/localhost:\d+)\/checkout$/m.exec(output) ?? []
      if (shop) resolve({ url: shop, output: () => output })
    }
    child.stdout.on('data', listen)
    child.stderr.on('data', listen)
    void ended.then(() => reject(new Error(`the example did not start:\n${output}`)))
  })
}

type Form = { status: number; page: string; headers: Headers; attempt: string; intent: string; cookie: string }

const readForm = (page: string) => ({
  attempt: /name="attempt" value="([^"]+)"/.exec(page)?.[1] ?? '',
  intent: /data-intent="([^"]+)"/.exec(page)?.[1] ?? '',
})

async function show(shop: string, cookie = ''): Promise<Form> {
  const reply = await fetch(`${shop}/checkout`, { headers: { cookie } })
  const page = await reply.text()
  const own = reply.headers.get('set-cookie')?.split(';')[0] ?? cookie
  return { status: reply.status, page, headers: reply.headers, cookie: own, ...readForm(page) }
}

/** What the component does. */
async function solve(intent: string, keys: Keys = testKeys.pass): Promise<string> {
  const from = { origin: 'http://localhost' }
  const { body } = await app.client.challenge(keys, intent, from)
  const solution = solvePuzzles(body as { seed: string; count: number; target: number })
  const fields = { intent_id: intent, challenge: body['challenge'], solution }
  return String((await app.client.solve(keys, fields, from)).body['response'])
}

type Fields = Record<string, string>

const fill = ({ attempt }: { attempt: string }, token: string, change: Fields = {}): Fields => ({
  attempt,
  email: 'ada@example.com',
  quantity: '2',
  'svc-captcha-response': token,
  ...change,
})

async function post(shop: string, cookie: string, fields: Fields) {
  const reply = await fetch(`${shop}/checkout`, {
    method: 'POST',
    headers: { cookie },
    body: new URLSearchParams(fields),
    redirect: 'manual',
  })
  return { status: reply.status, page: await reply.text(), headers: reply.headers }
}

/** The hidden fields of a page that offers to send the same again. */
const readHidden = (page: string): Fields =>
  Object.fromEntries(
    [...page.matchAll(/type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(([, n = '', v = '']) => [n, v]),
  )

const ordersOf = async (attempt: string): Promise<unknown[]> =>
  (await sql.query('select payload from orders where attempt_id = $1', [attempt])).rows.map(({ payload }) => payload)

const decisionsOf = async (intent: string): Promise<number> =>
  (await app.sql.query('select count(*)::int as n from decision where id = $1', [intent])).rows[0].n

/** A server in place of Tollgate with answers of the test. */
async function lie(answers: RequestListener): Promise<string> {
  const liar = await listen(answers)
  open.push(liar)
  return liar.url
}

test('schema.sql matches the tables in the guide', () => {
  const schema = readFileSync('sdk/node/examples/schema.sql', 'utf8').replaceAll(' if not exists', '')
  expect(readFileSync('docs/backend.md', 'utf8')).toContain(schema)
})

describe.each(Object.entries(PROGRAMS))('the example for %s', (_, program) => {
  test('places an order once for repeated submissions and refuses changed ones', async () => {
    const shop = await start(program, testKeys.pass)
    const form = await show(shop.url)
    expect(form.page).toContain(`<script src="${app.url}/widget.js" async defer></script>`)
    expect(form.headers.get('cache-control')).toBe('no-store')
    const token = await solve(form.intent)
    // a redeemed intent gets no more challenges
    const other = await solve(form.intent)
    const fields = fill(form, token)
    // equivalent values are the same order
    const sent = await Promise.all([
      ...[1, 2, 3].map(() => post(shop.url, form.cookie, fields)),
      post(shop.url, form.cookie, { ...fields, email: ' Ada@Example.com ' }),
    ])
    for (const { status, page, headers } of [...sent, await post(shop.url, form.cookie, fields)]) {
      expect([status, headers.get('cache-control')]).toEqual([200, 'no-store'])
      expect(page).toContain('2 × for ada@example.com')
    }
    expect(other).not.toBe(token)
    for (const change of [
      { quantity: '9' },
      { quantity: 'x' },
      { email: 'eve@example.com' },
      { 'svc-captcha-response': other },
      { 'svc-captcha-response': '' },
    ]) {
      const { status, page, headers } = await post(shop.url, form.cookie, { ...fields, ...change })
      expect([change, status, headers.get('cache-control')]).toEqual([change, 409, 'no-store'])
      expect(page).toContain('This order was already sent with other content.')
      expect(page).toContain('2 × for ada@example.com')
      expect(page).not.toContain('Thank you')
    }
    expect(await ordersOf(form.attempt)).toEqual([{ email: 'ada@example.com', quantity: 2 }])
    expect(await decisionsOf(form.intent)).toBe(1)
  })

  test('accepts one of five different concurrent submissions and refuses the others', async () => {
    const shop = await start(program, testKeys.pass)
    const form = await show(shop.url)
    const token = await solve(form.intent)
    const quantities = ['1', '2', '3', '4', '5']
    const sent = await Promise.all(
      quantities.map((quantity) => post(shop.url, form.cookie, fill(form, token, { quantity }))),
    )
    expect(sent.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409])
    const won = sent.findIndex(({ status }) => status === 200)
    expect(await ordersOf(form.attempt)).toEqual([{ email: 'ada@example.com', quantity: won + 1 }])
    expect(await decisionsOf(form.intent)).toBe(1)
  })

  test('takes no order without a token, with a forged one, or from another session', async () => {
    const shop = await start(program, testKeys.pass)
    const form = await show(shop.url)
    const { cookie, intent } = form
    for (const token of ['', 'xyz']) {
      const { status, page } = await post(shop.url, cookie, fill(form, token))
      expect(status).toBe(422)
      expect(page).toContain('value="ada@example.com"')
    }
    const token = await solve(intent)
    const stranger = await show(shop.url)
    expect(await post(shop.url, '', fill(form, token))).toMatchObject({ status: 403 })
    expect(await post(shop.url, stranger.cookie, fill(form, token))).toMatchObject({ status: 403 })
    expect(await post(shop.url, cookie, fill({ attempt: 'x' }, token))).toMatchObject({ status: 403 })
    const other = await show(shop.url, cookie)
    const forged = await post(shop.url, cookie, fill(other, token))
    expect(forged).toMatchObject({ status: 409, page: expect.stringContaining('value="ada@example.com"') })
    expect(readForm(forged.page).attempt).not.toBe(other.attempt)
    expect([await ordersOf(form.attempt), await ordersOf(other.attempt)]).toEqual([[], []])
    expect([await decisionsOf(intent), await decisionsOf(other.intent)]).toEqual([0, 0])
  })

  test('escapes entered values', async () => {
    const shop = await start(program, testKeys.pass)
    const form = await show(shop.url)
    const { page } = await post(shop.url, form.cookie, fill(form, '', { email: '"><script>alert(1)</script>@x' }))
    expect(page).toContain('value="&quot;&gt;&lt;script&gt;')
    expect(page).not.toContain('<script>alert')
  })

  test.each([
    ['quota', 503],
    ['down', 503],
    ['spent', 409],
    ['expired', 409],
  ] as const)('takes no order with the test key %s and says how to go on', async (name, status) => {
    const shop = await start(program, testKeys[name])
    const form = await show(shop.url)
    const fields = fill(form, await solve(form.intent, testKeys[name]))
    const first = await post(shop.url, form.cookie, fields)
    expect(first.status).toBe(status)
    expect(await ordersOf(form.attempt)).toEqual([])
    // a new form, or a button that sends the same values
    const isFresh = status === 409
    const hidden = readHidden(first.page)
    expect(isFresh ? hidden['attempt'] === form.attempt : hidden).toEqual(isFresh ? false : fields)
    const changed = await post(shop.url, form.cookie, { ...fields, quantity: '3' })
    expect(changed.status).toBe(409)
    expect(readHidden(changed.page)).toEqual(fields)
  })

  test('shows no form when rate-limited', async () => {
    const shop = await start(program, testKeys.limit)
    const { status, page, headers } = await show(shop.url)
    expect([status, headers.get('retry-after')]).toEqual([503, expect.stringMatching(/^\d+$/)])
    expect(page).toContain('Please try again')
  })

  test('places no order for invalid answers of a service', async () => {
    let change: Record<string, unknown> = {}
    const url = await lie((request: IncomingMessage, response: ServerResponse) => {
      void text(request).then((body): unknown => {
        const { action, hostname, intent_id } = JSON.parse(body) as Fields
        const intent = {
          intent_id: crypto.randomUUID(),
          sitekey: testKeys.pass.sitekey,
          action,
          hostname,
          expires_at: 1,
        }
        const decision_id = `dec_${intent_id}`
        const decision = { success: true, intent_id, action, hostname, decision_id, assessment: 'passed', ...change }
        return response.end(JSON.stringify(request.url === '/intents' ? intent : decision))
      })
    })
    const shop = await start(program, testKeys.pass, url)
    for (change of [
      { success: 'true' },
      { assessment: 0.9 },
      { intent_id: crypto.randomUUID() },
      { action: 'signup' },
      { hostname: 'shop.example' },
      { decision_id: 1 },
    ]) {
      const form = await show(shop.url)
      expect([change, (await post(shop.url, form.cookie, fill(form, 'tgr_token'))).status]).toEqual([change, 500])
      expect(await ordersOf(form.attempt)).toEqual([])
    }
    change = {}
    const form = await show(shop.url)
    expect((await post(shop.url, form.cookie, fill(form, 'tgr_token'))).status).toBe(200)
  })

  test('repeats the frozen request after a lost reply and logs no secrets', async () => {
    const replies: string[] = []
    const url = await lie((request: IncomingMessage, response: ServerResponse) => {
      void text(request).then(async (body) => {
        const { authorization = '' } = request.headers
        const headers = { authorization, 'content-type': 'application/json' }
        const reply = await fetch(app.url + request.url, { method: 'POST', headers, body })
        const answer = await reply.text()
        if (request.url === '/siteverify' && replies.push(body) === 1) return response.destroy()
        return response.writeHead(reply.status, { 'content-type': 'application/json' }).end(answer)
      })
    })
    const shop = await start(program, testKeys.pass, url)
    const form = await show(shop.url)
    const fields = fill(form, await solve(form.intent))
    expect((await post(shop.url, form.cookie, fields)).status).toBe(200)
    expect(new Set(replies).size).toBe(1)
    expect(replies.length).toBeGreaterThan(1)
    expect([await decisionsOf(form.intent), (await ordersOf(form.attempt)).length]).toEqual([1, 1])

    const failing = await show(shop.url, form.cookie)
    await post(shop.url, form.cookie, fill(failing, 'tgr_forged'))
    expect(shop.output()).toContain('response-invalid')
    const { nonce, idempotency_key, session } = (
      await sql.query('select * from attempts where id = $1', [form.attempt])
    ).rows[0] as Fields
    const cookie = form.cookie.split('=')[1]
    const hidden = [testKeys.pass.secret, SESSION_KEY, fields['svc-captcha-response'], cookie, nonce, idempotency_key]
    for (const value of [...hidden, session, 'tgr_forged', 'ada@example.com'])
      expect(shop.output()).not.toContain(value)
  })

  test('shows no form with a revoked secret', async () => {
    const secret = 'tg_secret_k3PbQ9xT2LmVw7ZyR4dNc8HsJ6fGa1UeXo5CvBtKqMn0htdcX'
    const shop = await start(program, { ...testKeys.pass, secret })
    expect((await show(shop.url)).status).toBe(500)
    expect(shop.output()).toMatch(/The secret key is unknown .*\(unauthorized, status 401, req_\w+\)/)
    expect(shop.output()).not.toContain(secret)
  })
})
