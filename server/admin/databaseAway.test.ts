import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { expect, inject, test } from 'vitest'
import { createBrowser, makePerson, PASSWORD } from '../../test/support/browser.ts'
import { testApp } from '../../test/support/testApp.ts'

const app = testApp()

/** The database accepts no connection of the service while `work` runs. */
async function whileAway<Out>(work: () => Promise<Out>): Promise<Out> {
  const name = new URL(app.databaseUrl).pathname.slice(1)
  const admin = new pg.Client({ connectionString: inject('cluster') })
  await admin.connect()
  await admin.query(`alter database ${name} connection limit 0`)
  await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name])
  try {
    return await work()
  } finally {
    await admin.query(`alter database ${name} connection limit -1`)
    await admin.end()
  }
}

test('an outage is answered 503 with Retry-After and logged as one, whatever better-auth makes of it', async () => {
  const person = await makePerson(app)
  const token = randomBytes(16).toString('base64url')
  const answers = await whileAway(async () => {
    const browser = createBrowser(app)
    return {
      me: await person.get('/trpc/session.me'),
      list: await person.get('/trpc/session.list'),
      rename: await person.post('/trpc/tenants.create', { name: 'Away' }),
      export: await person.get('/export/audit.csv?tenant=none'),
      signUp: await browser.signUp('away@people.example'),
      signIn: await browser.signIn(person.email),
      signOut: await person.post('/auth/sign-out', {}),
      reset: await browser.post('/auth/reset-password', { newPassword: PASSWORD, token }),
      forgot: await browser.post('/auth/request-password-reset', { email: person.email }),
      resend: await browser.post('/auth/send-verification-email', { email: person.email }),
      passkeys: await person.get('/auth/passkey/list-user-passkeys'),
      name: await person.post('/auth/update-user', { name: 'B' }),
      password: await person.post('/auth/change-password', { currentPassword: PASSWORD, newPassword: PASSWORD }),
    }
  })
  for (const [call, { status, headers }] of Object.entries(answers))
    expect([call, status, headers.get('retry-after')]).toEqual([call, 503, '1'])
  expect(
    app.logged.filter((line) => line.includes('because the database did not answer')).length,
  ).toBeGreaterThanOrEqual(12)
  expect(app.logged.filter((line) => /internal error|better-auth reported/.test(line))).toEqual([])
  // the session was neither ended nor forgotten
  await expect.poll(async () => (await person.query('session.me')).status, { timeout: 10_000 }).toBe(200)
  expect((await person.query('session.me')).data).not.toBeNull()
})

test('a database that does not answer is reported before the console gives up', async () => {
  const person = await makePerson(app)
  const lock = await app.sql.connect()
  try {
    await lock.query('begin')
    await lock.query('lock table tenant in access exclusive mode')
    const cookie = [...person.cookies].map((pair) => pair.join('=')).join('; ')
    // as long as the console waits (console/trpc.ts)
    const reply = await fetch(`${app.url}/trpc/session.me`, { headers: { cookie }, signal: AbortSignal.timeout(5000) })
    expect([reply.status, reply.headers.get('retry-after')]).toEqual([503, '1'])
  } finally {
    await lock.query('rollback')
    lock.release()
  }
})
