import { beforeAll, expect, test } from 'vitest'
import { DEMO_PEOPLE, openOwnApp, type TestApp } from '../../test/support/app.ts'
import { sendRequest } from '../../test/support/request.ts'
import { testApp } from '../../test/support/testApp.ts'
import { newId } from '../kit/crypto/ids.ts'

const app = testApp({ DEMO: 'on', TRUSTED_PROXIES: '127.0.0.0/8' })
beforeAll(async () => {
  const email = { to: 'a@b.example', subject: '<script>alert(1)</script>', text: '"><img src=x>', html: '' }
  await app.ctx.mail.send(email, newId())
})

async function open(at: TestApp, path: string, headers: Record<string, string> = {}) {
  const { headers: given, ...answer } = await sendRequest(at.url + path, { accept: 'text/html', ...headers })
  return { ...answer, location: given.location, cookie: given['set-cookie']?.join('\n') ?? '' }
}

const link = () => `/dev/mailbox?token=${app.mailboxToken}`
const cookie = () => ({ cookie: `tollgate.session_token=x; tollgate.mailbox=${app.mailboxToken}` })

test("the link sets the token as an HttpOnly cookie for the mailbox's path", async () => {
  const followed = await open(app, link())
  expect([followed.status, followed.location, followed.text]).toEqual([303, '/dev/mailbox', ''])
  expect(followed.cookie).toBe(`tollgate.mailbox=${app.mailboxToken}; Path=/dev/mailbox; HttpOnly; SameSite=Strict`)
  const { status, text } = await open(app, '/dev/mailbox', { cookie: followed.cookie.split(';', 1)[0] ?? '' })
  expect(status).toBe(200)
  expect(text).toContain('To a@b.example')
})

test('shows captured e-mail as escaped text', async () => {
  const { text } = await open(app, '/dev/mailbox', cookie())
  expect(text.replace('<script src="/theme.js">', '')).not.toMatch(/<script|<img/)
  expect(text).toContain('&lt;script&gt;')
})

test('shows the link of an e-mail by its label, and the time as people write it', async () => {
  const text = 'Hello.\n\nSee the "tenant": https://tollgate.example/o/a?b=1&c=2'
  await app.ctx.mail.send({ to: 'a@b.example', subject: 'A link', text, html: '' }, newId())
  const shown = (await open(app, '/dev/mailbox', cookie())).text
  expect(shown).toContain(
    '<a class="action" href="https://tollgate.example/o/a?b=1&amp;c=2">See the &quot;tenant&quot;</a>',
  )
  expect(shown).toMatch(/>\d{1,2} \w{3,4} \d{4}, \d\d:\d\d:\d\d UTC<\/time>/)
})

test('offers the demo accounts to a browser that has opened it, and to no other', async () => {
  const people = '/dev/mailbox/people'
  expect(JSON.parse((await open(app, people, cookie())).text)).toEqual(DEMO_PEOPLE)
  for (const headers of [{}, { cookie: 'tollgate.mailbox=wrong' }, { ...cookie(), 'x-forwarded-for': '192.168.0.7' }]) {
    const { status, text } = await open(app, `${people}?token=${app.mailboxToken}`, headers)
    expect([status, text]).toEqual([200, '[]'])
  }
})

test.each([
  ['no token', '/dev/mailbox', {}],
  ['a wrong token', '/dev/mailbox?token=wrong', {}],
  ['an empty token', '/dev/mailbox?token=', {}],
  ['a wrong cookie', '/dev/mailbox', { cookie: 'tollgate.mailbox=wrong' }],
  ['an empty cookie', '/dev/mailbox', { cookie: 'tollgate.mailbox=' }],
])('with %s it is not there, and says where its link is', async (_what, path, headers) => {
  const { status, text, cookie: set } = await open(app, path, headers)
  expect([status, set]).toEqual([404, ''])
  expect(text).toMatch(/opens with its own link/)
  expect(text).not.toContain('a@b.example')
})

test('refuses a duplicate token and a cookie with a longer name', async () => {
  const doubled = `${link()}&token=${app.mailboxToken}`
  expect((await open(app, doubled)).status).toBe(404)
  expect((await open(app, '/dev/mailbox', { cookie: `x${cookie().cookie.split('; ')[1]}` })).status).toBe(404)
})

test.each(['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'via'])(
  'refuses a request with %s, even with the token',
  async (name) => {
    // the addresses are those that a trusted proxy would forward
    for (const value of ['192.168.0.7', '127.0.0.1', ''])
      for (const path of [link(), '/dev/mailbox']) {
        const { status, text, cookie: set } = await open(app, path, { ...cookie(), [name]: value })
        expect([status, set]).toEqual([404, ''])
        expect(text).not.toMatch(/mailbox/i)
      }
  },
)

test('refuses another Host, even with the token', async () => {
  for (const host of ['attacker.example', 'localhost:1', `attacker.example:${new URL(app.url).port}`]) {
    const { status, cookie: set } = await open(app, link(), { ...cookie(), host })
    expect([status, set]).toEqual([421, ''])
  }
})

test('does not exist outside an evaluation', async () => {
  const other = await openOwnApp()
  expect(other.mailboxToken).toBeUndefined()
  for (const path of ['/dev/mailbox?token=undefined', '/dev/mailbox/people'])
    expect((await open(other, path, { accept: '*/*' })).text).toBe('{"error":"not-found"}')
})
