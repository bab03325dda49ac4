import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { request } from 'node:http'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from '../../server/kit/process/freePort.ts'
import { type ServerProcess, startServer } from '../../test/support/process.ts'

/** An e-mail address that every evaluation has; its person sees all tenants. */
const STAFF_LEAD = 'lead@tollgate.example'

/** Stands in a setting that is no business of the demo shop. */
const CANARY = 'c4n4ry'

/** How an attacker reaches the service. */
type From = {
  /** The address of the service that is connected to. */
  address: string
  port: number
  /** What the Host header says. */
  host: string
  /** The loopback address that the connection comes from. */
  localAddress?: string
  headers?: Record<string, string>
}

type Reply = { status: number; text: string; cookies: string[] }

type DemoFile = { mailbox: string; people: { email: string; password: string }[] }

/** One request; `undefined` where nothing answers. */
function send(from: From, method: string, path: string, body?: object, cookies: string[] = []) {
  const { address, port, host, localAddress, headers } = from
  return new Promise<Reply | undefined>((resolve) => {
    const outgoing = request(
      {
        host: address,
        port,
        localAddress,
        method,
        path,
        timeout: 10_000,
        headers: {
          host,
          // a program can send any Origin: checking it stops browsers only
          origin: `http://localhost:${port}`,
          ...(body && { 'content-type': 'application/json' }),
          ...(cookies.length > 0 && { cookie: cookies.join('; ') }),
          ...headers,
        },
      },
      (reply) => {
        let text = ''
        reply.setEncoding('utf8')
        reply.on('data', (chunk: string) => (text += chunk))
        reply.on('end', () =>
          resolve({
            status: reply.statusCode ?? 0,
            text,
            cookies: (reply.headers['set-cookie'] ?? []).map((line) => line.split(';', 1)[0] ?? ''),
          }),
        )
      },
    )
    outgoing.on('timeout', () => outgoing.destroy())
    outgoing.on('error', () => resolve(undefined))
    outgoing.end(body && JSON.stringify(body))
  })
}

/** The attack, in three requests and a sign-in: the person that the attacker has become, as the console names them. */
async function takeOver(from: From): Promise<string | undefined> {
  const newPassword = 'attacker chose this'
  await send(from, 'POST', '/auth/request-password-reset', { email: STAFF_LEAD })
  let token: string | undefined
  // a mailbox that opens gets the e-mail some moments after the answer
  for (let tries = 0; tries < 100 && token === undefined; tries++) {
    const mailbox = await send(from, 'GET', '/dev/mailbox')
    token = /#token=([^\s"<&]+)/.exec(mailbox?.text ?? '')?.[1]
    if (mailbox?.status !== 200) break
  }
  await send(from, 'POST', '/auth/reset-password', { token: token ?? 'none', newPassword })
  const signedIn = await send(from, 'POST', '/auth/sign-in/email', { email: STAFF_LEAD, password: newPassword })
  const me = await send(from, 'GET', '/trpc/session.me', undefined, signedIn?.cookies)
  return me?.text.includes(STAFF_LEAD) ? me.text : undefined
}

/** Addresses of this machine that others on its networks can connect to. */
const reachable = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .filter(({ internal, address }) => !internal && !address.startsWith('fe80:'))
  .map(({ address }) => address)

type Evaluation = { server: ServerProcess; port: number; shopPort: number; dataDir: string; close(): Promise<void> }

async function openEvaluation(settings: Record<string, string>): Promise<Evaluation> {
  const dataDir = mkdtempSync(join(tmpdir(), 'tollgate-'))
  chmodSync(dataDir, 0o755)
  const shopPort = await freePort()
  const server = await startServer({
    // as `npm start` does, so it runs its own PostgreSQL
    DEMO: '',
    DATA_DIR: dataDir,
    SHOP_PORT: String(shopPort),
    // not set, as after `npm start`
    HOST: '',
    TRUSTED_PROXIES: '',
    MAIL_FROM: `${CANARY} <no-reply@tollgate.example>`,
    ...settings,
  })
  return {
    server,
    port: Number(new URL(server.url).port),
    shopPort,
    dataDir,
    async close() {
      await server.end()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

describe('an evaluation as `npm start` opens it', () => {
  let evaluation: Evaluation
  beforeAll(async () => {
    evaluation = await openEvaluation({})
  })
  afterAll(() => evaluation.close())

  const local = (change: Partial<From> = {}): From => {
    const { port } = evaluation
    return { address: '127.0.0.1', port, host: `localhost:${port}`, ...change }
  }

  const demoFile = () => JSON.parse(readFileSync(join(evaluation.dataDir, 'demo.json'), 'utf8')) as DemoFile

  test.skipIf(reachable.length === 0)('is not taken over from the network: nothing listens there', async () => {
    const ports = [evaluation.port, evaluation.shopPort]
    for (const address of reachable) {
      expect(await takeOver(local({ address }))).toBeUndefined()
      for (const port of ports) expect(await send(local({ address, port }), 'GET', '/')).toBeUndefined()
    }
  })

  test.each(['attacker.example', 'attacker.example:3000'])(
    'is not taken over by a page whose name %s was pointed at the loopback',
    async (host) => {
      expect(await takeOver(local({ host }))).toBeUndefined()
    },
  )

  test('is not taken over by a program of another account of the machine', async () => {
    expect(await takeOver(local())).toBeUndefined()
    expect(await takeOver(local({ localAddress: '127.0.0.9' }))).toBeUndefined()
  })

  test('is not taken over through a proxy on the machine, even with the mailbox’s token', async () => {
    const headers = { 'x-forwarded-for': '192.168.0.7' }
    const { pathname, search } = new URL(demoFile().mailbox)
    const from = local({ localAddress: '127.0.0.9', headers })
    expect((await send(from, 'GET', pathname + search))?.status).toBe(404)
    expect(await takeOver(from)).toBeUndefined()
  })

  test('writes nothing that opens an account where logs are collected, and says where that is', async () => {
    const { mailbox, people } = demoFile()
    const output = evaluation.server.output()
    expect(output).toContain(STAFF_LEAD)
    expect(output).toContain(`cat ${join(evaluation.dataDir, 'demo.json')}`)
    for (const secret of [
      new URL(mailbox).searchParams.get('token') ?? '',
      ...people.map(({ password }) => password),
    ]) {
      expect(secret.length).toBeGreaterThanOrEqual(16)
      expect(output).not.toContain(secret)
    }
    expect(statSync(join(evaluation.dataDir, 'demo.json')).mode & 0o777).toBe(0o600)
  })

  test('its person opens the mailbox by the link in that file, and signs in with its password', async () => {
    const { mailbox, people } = demoFile()
    const followed = await fetch(mailbox, { redirect: 'manual' })
    const [cookie = ''] = followed.headers.getSetCookie()
    const opened = await fetch(new URL(followed.headers.get('location') ?? '', mailbox), {
      headers: { cookie: cookie.split(';', 1)[0] ?? '' },
    })
    expect(await opened.text()).toContain('Mailbox')
    const password = people.find(({ email }) => email === STAFF_LEAD)?.password
    const signedIn = await send(local(), 'POST', '/auth/sign-in/email', { email: STAFF_LEAD, password })
    expect(signedIn?.status).toBe(200)
  })

  const environment = (pid: string | number) => readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0')

  /** The environment of the demo shop, which an attacker who runs code in the shop has. */
  function shopEnvironment(): string[] {
    const { pid } = evaluation.server
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')
    const shops = children.map(environment).filter((lines) => lines.includes(`SHOP_PORT=${evaluation.shopPort}`))
    expect(shops).toHaveLength(1)
    return shops[0] ?? []
  }

  test.skipIf(process.platform !== 'linux')('gives the demo shop none of the service’s settings', () => {
    const names = shopEnvironment().map((line) => line.split('=', 1)[0] ?? '')
    expect(environment(evaluation.server.pid).join('\n')).toContain(CANARY)
    expect(shopEnvironment().join('\n')).not.toContain(CANARY)
    for (const name of names)
      expect(name).toMatch(/^(SHOP_|TOLLGATE_(URL|API_URL|SITEKEY|SECRET)$|NODE_CHANNEL_|PATH$|TZ$|TMPDIR$|$)/)
  })

  test.skipIf(process.platform !== 'linux')('the database user of the demo shop reaches nothing else', async () => {
    const setting = shopEnvironment().find((line) => line.startsWith('SHOP_DATABASE_URL=')) ?? ''
    const url = new URL(setting.slice('SHOP_DATABASE_URL='.length))
    const escalations = [
      'set role tollgate_service',
      'set role tollgate',
      'alter role current_user superuser',
      'create database planted',
      `copy (select 1) to program 'true'`,
      `select pg_read_file('postgresql.conf')`,
      `create extension dblink`,
    ]
    expect(await attempt(url, ['select from orders', ...escalations])).toEqual([
      undefined,
      ...escalations.map(() => '42501'),
    ])
    const tollgate = Object.assign(new URL(url), { pathname: '/tollgate' })
    expect(await attempt(tollgate, ['select from site'])).toEqual(['42501'])
    for (const username of ['tollgate', 'tollgate_owner', 'tollgate_service'])
      expect(await attempt(Object.assign(new URL(tollgate), { username }), ['select from site'])).toEqual(['28P01'])
  })
})

/** Runs the statements one by one on a connection of its own. Returns the SQLSTATE of each that failed. */
async function attempt(url: URL, statements: string[]): Promise<(string | undefined)[]> {
  const client = new pg.Client({ connectionString: url.href })
  try {
    await client.connect()
    const codes: (string | undefined)[] = []
    for (const statement of statements)
      codes.push(
        await client.query(statement).then(
          () => undefined,
          (error: { code?: string }) => error.code,
        ),
      )
    return codes
  } catch (error) {
    return [(error as { code?: string }).code]
  } finally {
    await client.end()
  }
}

describe.skipIf(reachable.length === 0)('an evaluation that HOST opens to the network', () => {
  let evaluation: Evaluation
  beforeAll(async () => {
    evaluation = await openEvaluation({ HOST: '0.0.0.0' })
  })
  afterAll(() => evaluation.close())

  test('can be reached there, but not its mailbox, whatever the Host and even with the token', async () => {
    const { port, dataDir } = evaluation
    const { mailbox } = JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8')) as DemoFile
    const { pathname, search } = new URL(mailbox)
    for (const address of reachable.filter((one) => !one.includes(':'))) {
      const from: From = { address, port, host: `localhost:${port}` }
      expect((await send(from, 'GET', '/healthz'))?.status).toBe(200)
      expect((await send(from, 'GET', pathname + search))?.status).toBe(404)
      expect(await takeOver(from)).toBeUndefined()
      const named = { ...from, host: `${address}:${port}` }
      expect((await send(named, 'GET', '/sign-in'))?.status).toBe(421)
      expect(await takeOver(named)).toBeUndefined()
    }
  })
})
