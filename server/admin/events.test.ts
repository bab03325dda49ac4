import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '../../test/support/app.ts'
import { createBrowser, makePerson, PASSWORD, type SignedIn, tokenFor } from '../../test/support/browser.ts'
import { registerPasskey } from '../../test/support/passkey.ts'
import { makeStaff } from '../../test/support/staff.ts'
import { enableTotp } from '../../test/support/totp.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.close())

const recorded = async ({ userId }: SignedIn): Promise<string[]> => {
  const { rows } = await app.sql.query<{ action: string }>(
    'select action from audit_event where tenant_id is null and actor_id = $1 order by id',
    [userId],
  )
  return rows.map(({ action }) => action)
}

test('sign-ins and every change of a factor are recorded, and changes are e-mailed to the person', async () => {
  const person = await makePerson(app)
  const { passkey } = await registerPasskey(app, person, { password: PASSWORD })
  const { rows } = await app.sql.query<{ id: string }>('select id from passkey where credential_id = $1', [passkey.id])
  expect((await person.post('/auth/passkey/delete-passkey', { id: rows[0]?.id })).status).toBe(200)
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
  await browser.post('/auth/reset-password', { token: tokenFor(app, person.email), newPassword: PASSWORD })
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
  const emails = app.ctx.mail.captured().filter(({ to }) => to === person.email)
  expect(emails.filter(({ subject }) => subject === 'Your sign-in settings were changed')).toHaveLength(10)
})

test('staff leads see the sign-ins of a person', async () => {
  const [lead, person] = [await makeStaff(app, 'lead'), await makePerson(app)]
  const { data } = await lead.query('staff.audit', { actor: person.email })
  expect(data).toMatchObject({ rows: [{ action: 'session.create', actor: { email: person.email }, tenant: null }] })
})
