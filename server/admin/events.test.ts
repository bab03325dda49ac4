import { expect, test } from 'vitest'
import { createBrowser, mailedToken, makePerson, PASSWORD, type SignedIn } from '../../test/support/browser.ts'
import { registerPasskey } from '../../test/support/passkey.ts'
import { makeStaff } from '../../test/support/staff.ts'
import { testApp } from '../../test/support/testApp.ts'
import { enableTotp } from '../../test/support/totp.ts'
import { newSecretKey } from '../accounts/sites/keys.ts'

const app = testApp()

const recorded = async ({ userId }: SignedIn): Promise<string[]> => {
  const rows = await app.rows<{ action: string }>(
    'select action from audit_event where tenant_id is null and actor_id = $1 order by id',
    [userId],
  )
  return rows.map(({ action }) => action)
}

test('sign-ins and every change of a factor are recorded, and changes are e-mailed to the person', async () => {
  const person = await makePerson(app)
  const { passkey } = await registerPasskey(app, person, { password: PASSWORD })
  const rows = await app.rows<{ id: string }>('select id from passkey where credential_id = $1', [passkey.id])
  const removed = await person.post('/auth/passkey/delete-passkey', { id: rows[0]?.id, password: PASSWORD })
  expect(removed.status).toBe(200)
  const { code, backupCodes } = await enableTotp(person)
  const browser = createBrowser(app)
  await browser.signIn(person.email)
  await browser.post('/auth/two-factor/verify-totp', { code: await code() })
  const recovering = createBrowser(app)
  await recovering.signIn(person.email)
  await recovering.post('/auth/two-factor/verify-backup-code', { code: backupCodes[0] })
  const renew = { password: PASSWORD, code: backupCodes[1] }
  const { body } = await recovering.post('/auth/two-factor/generate-backup-codes', renew)
  const [latest] = body['backupCodes'] as string[]
  await recovering.post('/auth/two-factor/disable', { password: PASSWORD, code: latest })
  const newPassword = 'another long one'
  await recovering.post('/auth/change-password', { currentPassword: PASSWORD, newPassword })
  await browser.post('/auth/request-password-reset', { email: person.email })
  await browser.post('/auth/reset-password', { token: await mailedToken(app, person.email), newPassword: PASSWORD })
  expect(await recorded(person)).toEqual([
    'session.create',
    'passkey.add',
    'passkey.remove',
    'two_factor.enable',
    'session.create',
    'recovery_code.use',
    'session.create',
    'recovery_code.use',
    'recovery_codes.create',
    'recovery_code.use',
    'two_factor.disable',
    'password.change',
    'password.reset',
  ])
  const emails = (await app.emails()).filter(({ to }) => to === person.email)
  expect(emails.filter(({ subject }) => subject === 'Your sign-in settings were changed')).toHaveLength(10)
})

test('staff leads see the sign-ins of a person', async () => {
  const [lead, person] = [await makeStaff(app, 'lead'), await makePerson(app)]
  const { data } = await lead.query('staff.audit', { actor: person.email })
  expect(data).toMatchObject({ rows: [{ action: 'session.create', actor: { email: person.email }, tenant: null }] })
})

test('a person sees their own sign-ins and changes, with the area of the network and the browser', async () => {
  const [person, other] = [await makePerson(app), await makePerson(app)]
  const from = { 'x-forwarded-for': '203.0.113.77', 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0' }
  const browser = createBrowser(app)
  await browser.post('/auth/sign-in/email', { email: person.email, password: PASSWORD }, from)
  const change = { currentPassword: PASSWORD, newPassword: 'another long one' }
  const v6 = { ...from, 'x-forwarded-for': '2001:db8:77:1::5' }
  expect((await browser.post('/auth/change-password', change, v6)).status).toBe(200)
  const { data } = await browser.query('session.activity')
  expect(data).toMatchObject([
    { action: 'password.change', network: '2001:db8:77::/48', userAgent: from['user-agent'], at: expect.any(Number) },
    { action: 'session.create', network: '203.0.113.0/24', userAgent: from['user-agent'] },
    { action: 'session.create', network: expect.stringMatching(/^10\..*\.0\/24$/) },
  ])
  expect((await other.query('session.activity')).data).toHaveLength(1)
})

test('what staff search and list is recorded, once a minute, without a secret key', async () => {
  const lead = await makeStaff(app, 'lead')
  const recordedAs = () =>
    app.rows(
      `select action, target, after from audit_event where actor_id = $1 and actor_type = 'staff' order by seq`,
      [lead.userId],
    )
  const secret = newSecretKey()
  for (let i = 0; i < 2; i++) {
    await lead.mutate('staff.search', { text: ' Ada@Shop.example ' })
    await lead.mutate('staff.search', { text: `Bearer ${secret}` })
    await lead.query('staff.tenants.list', { text: 'penny' })
    await lead.query('staff.notes', { tenant: lead.userId })
    await lead.query('staff.usage', { month: '2026-10' })
    await lead.query('staff.audit', { action: 'x' })
  }
  expect(await recordedAs()).toEqual([
    { action: 'staff.search', target: 'email', after: { query: 'ada@shop.example' } },
    { action: 'staff.search', target: 'secret', after: null },
    { action: 'staff.list', target: 'tenants', after: { query: 'penny' } },
    { action: 'note.read', target: lead.userId, after: null },
    { action: 'staff.list', target: 'usage', after: { month: '2026-10' } },
    { action: 'staff.list', target: 'audit', after: { action: 'x' } },
  ])
  await app.sql.query("update audit_event set created_at = created_at - interval '61 s' where actor_id = $1", [
    lead.userId,
  ])
  await lead.mutate('staff.search', { text: 'ada@shop.example' })
  expect(await recordedAs()).toHaveLength(7)
})
