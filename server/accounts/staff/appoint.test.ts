import { expect, test } from 'vitest'
import { cookieHeader, createBrowser, PASSWORD } from '../../../test/support/browser.ts'
import { makeStaff, setTwoFactor } from '../../../test/support/staff.ts'
import { testApp } from '../../../test/support/testApp.ts'
import { admitOperator, admitStaff, admitUser } from '../access.ts'
import { welcomePerson } from '../sessions/person.ts'
import { appointStaff } from './appoint.ts'

const app = testApp()

const operator = () => admitOperator(app.ctx, 'test')

test('appoints a new person, who chooses a password by a link that works once', async () => {
  const person = await appointStaff(operator(), { email: 'Sup@Tollgate.example', level: 'support' })
  expect(person).toMatchObject({ email: 'sup@tollgate.example', level: 'support', created: true, locked: true })
  const token = (await welcomePerson(app.ctx, person)).link?.split('#token=')[1]
  const browser = createBrowser(app)
  const choose = (newPassword: string) => browser.post('/auth/reset-password', { token, newPassword })
  expect((await choose(PASSWORD)).status).toBe(200)
  expect((await choose('another long one')).status).toBe(400)
  await browser.signIn(person.email)
  expect((await browser.query('session.me')).data).toMatchObject({ staff: 'support', tenants: [] })
})

test('an unverified sign-up with the address does not become staff', async () => {
  const email = 'victim@tollgate.example'
  const thief = createBrowser(app)
  await thief.signUp(email)
  const person = await appointStaff(operator(), { email, level: 'lead' })
  expect(person).toMatchObject({ created: false, locked: true })
  expect((await thief.signIn(email)).status).toBe(401)
})

test('requires a second factor of staff, except in an evaluation', async () => {
  const person = await makeStaff(app, 'lead', { twoFactor: false })
  const enter = async (staffNeeds2fa: boolean) => {
    const ctx = { ...app.ctx, config: { ...app.ctx.config, staffNeeds2fa } }
    const user = await admitUser(ctx, { cookie: cookieHeader(person.cookies) })
    if (!user) throw new Error('not signed in')
    return (await admitStaff(user, 'lead')).level
  }
  await expect(enter(true)).rejects.toMatchObject({ code: 'two-factor-required' })
  await expect(enter(false)).resolves.toBe('lead')
  await setTwoFactor(app, person, true)
  await expect(enter(true)).resolves.toBe('lead')
})
