import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '../test/support/app.ts'
import { type Mailbox, openMailbox } from '../test/support/mailbox.ts'
import { makeMember, makeTenant } from '../test/support/tenant.ts'
import { startJobs } from './jobs.ts'
import { newId } from './kit/crypto/ids.ts'
import { transact } from './kit/db/transact.ts'
import { freePort } from './kit/process/freePort.ts'
import { enqueueEmails } from './kit/queue/email.ts'

let app: TestApp
let port: number
beforeAll(async () => {
  port = await freePort()
  app = await openTestApp({ SMTP_URL: `smtp://127.0.0.1:${port}` })
})
afterAll(() => app.close())
beforeEach(() => app.sql.query('delete from graphile_worker._private_jobs'))

const LINK = 'https://tollgate.example/reset#token=opens-the-account'
const email = (to: string) => ({ to, subject: 'Choose a new password', text: LINK, html: `<a href="${LINK}">` })

type Row = { payload: Record<string, unknown>; last_error: string | null }
const queue = async (): Promise<Row[]> =>
  (await app.sql.query<Row>('select payload, last_error from graphile_worker._private_jobs order by id')).rows

/** Works on the queue with as many nodes until it is empty, or all that is left has failed. */
async function work({ nodes = 1 }: { nodes?: number } = {}): Promise<void> {
  const jobs = await Promise.all(Array.from({ length: nodes }, () => startJobs(app.opened)))
  try {
    const waiting = async () => (await queue()).filter(({ last_error }) => last_error === null).length
    await expect.poll(waiting, { timeout: 20_000 }).toBe(0)
  } finally {
    await Promise.all(jobs.map((each) => each.close()))
  }
}

async function withMailbox(use: (mailbox: Mailbox) => Promise<void>): Promise<void> {
  const mailbox = await openMailbox(port)
  try {
    await use(mailbox)
  } finally {
    await mailbox.close()
  }
}

test('an e-mail is enqueued if its transaction commits, and not if it rolls back', async () => {
  const failing = transact(app.ctx, async (ctx) => {
    await enqueueEmails(ctx, [email('lost@people.example')])
    throw new Error('too late')
  })
  await expect(failing).rejects.toThrow('too late')
  await transact(app.ctx, (ctx) => enqueueEmails(ctx, [email('kept@people.example')]))
  expect((await queue()).map(({ payload }) => payload['to'])).toEqual(['kept@people.example'])
})

test('a request with fifty recipients answers while the mail server is away; once it is back, two nodes send each e-mail once', async () => {
  const tenant = await makeTenant(app)
  const owner = await makeMember(app, tenant, 'owner')
  const staff = Array.from({ length: 50 }, (_, i) => ({ id: newId(), name: 'Staff', email: `s${i}@people.example` }))
  await app.ctx.prisma.user.createMany({
    data: staff.map((one) => ({ ...one, staffLevel: 'support', emailVerified: true, twoFactorEnabled: true })),
  })
  const asked = await owner.mutate('usage.requestUnits', { tenant: tenant.slug, units: 5000, reason: 'A sale' })
  expect(asked.status).toBe(200)
  expect(await queue()).toHaveLength(50)
  await work()
  const failed = await queue()
  expect(failed).toHaveLength(50)
  expect(failed[0]?.last_error).toMatch(/^The mail server did not accept the e-mail: connect ECONNREFUSED/)

  await withMailbox(async ({ emails }) => {
    await app.sql.query('update graphile_worker._private_jobs set run_at = now(), last_error = null')
    await work({ nodes: 2 })
    expect(emails.map(({ to }) => to).toSorted()).toEqual(staff.map((one) => one.email).toSorted())
    expect(await queue()).toEqual([])
  })
})

test('neither the database nor the log has the link of a waiting e-mail, and a new recipient in its row gets nothing', async () => {
  await enqueueEmails(app.ctx, [email('ada@people.example'), email('ben@people.example')])
  expect(JSON.stringify(await queue())).not.toContain('opens-the-account')
  await app.sql.query(
    `update graphile_worker._private_jobs set payload = jsonb_set(payload::jsonb, '{to}', '"eve@people.example"')
     where payload->>'to' = 'ben@people.example'`,
  )
  await withMailbox(async (mailbox) => {
    await work()
    expect(mailbox.emails.map(({ to }) => to)).toEqual(['ada@people.example'])
    expect(mailbox.emails[0]?.text).toContain(LINK)
  })
  const [forged] = await queue()
  expect(forged?.last_error).toMatch(/authenticate data/)
  expect(app.logged.join('')).not.toMatch(/opens-the-account|people\.example/)
})

test('an e-mail is not sent after its link has expired', async () => {
  const until = Math.floor(app.ctx.clock.now() / 1000) - 1
  await enqueueEmails(app.ctx, [{ ...email('late@people.example'), until }, email('now@people.example')])
  await withMailbox(async ({ emails }) => {
    await work()
    expect(emails.map(({ to }) => to)).toEqual(['now@people.example'])
  })
  expect(await queue()).toEqual([])
})
