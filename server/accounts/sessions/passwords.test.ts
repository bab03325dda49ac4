import { expect, test } from 'vitest'
import { createBrowser, mailedToken, makePerson, PASSWORD } from '../../../test/support/browser.ts'
import { testApp } from '../../../test/support/testApp.ts'
import { setPassword } from './person.ts'

const app = testApp()

let domain = 0

const signUp = (password: string) =>
  // an address gets five e-mails in ten minutes
  createBrowser(app).signUp(`mallory.smith@people${(domain += 1)}.example`, { password, name: 'Mallory' })

test.each([
  ['1234567890', 'PASSWORD_COMMON'],
  ['qwertyuiop', 'PASSWORD_COMMON'],
  ['Basketball', 'PASSWORD_COMMON'],
  ['password12', 'PASSWORD_COMMON'],
  ['Dragon2024!!', 'PASSWORD_COMMON'],
  ['aaaaaaaaaa', 'PASSWORD_REPEATS'],
  ['ababababababab', 'PASSWORD_REPEATS'],
  ['cdefghijklm', 'PASSWORD_SEQUENCE'],
  ['lkjhgfdsapoiuyt', 'PASSWORD_SEQUENCE'],
  ['56789012345', 'PASSWORD_SEQUENCE'],
  ['i am Mallory.Smith', 'PASSWORD_NAMES'],
  ['my tollgate login', 'PASSWORD_NAMES'],
])('refuses %s with a sentence that says what to do', async (password, code) => {
  const { status, body } = await signUp(password)
  expect([status, body['code']]).toEqual([400, code])
  expect(body['message']).toMatch(/Choose/)
})

test.each(['correct horse battery', 'k3Vq9xTz2L', 'abc-tree-9 window', '7392847abc92839', 'ünder den Wolken'])(
  'accepts %s',
  async (password) => {
    expect((await signUp(password)).status).toBe(200)
  },
)

test('a changed, a reset and an operator’s password are held to the same rules, and the link still works', async () => {
  const person = await makePerson(app)
  const change = { currentPassword: PASSWORD, newPassword: 'password12' }
  expect((await person.post('/auth/change-password', change)).body).toMatchObject({
    code: 'PASSWORD_COMMON',
    field: 'newPassword',
  })
  const named = { ...change, newPassword: `my ${person.email.split('@')[0]}` }
  expect((await person.post('/auth/change-password', named)).body).toMatchObject({ code: 'PASSWORD_NAMES' })

  await createBrowser(app).post('/auth/request-password-reset', { email: person.email })
  const token = await mailedToken(app, person.email)
  const reset = (newPassword: string) => createBrowser(app).post('/auth/reset-password', { token, newPassword })
  expect((await reset('password12')).body).toMatchObject({ code: 'PASSWORD_COMMON', field: 'newPassword' })
  expect((await reset(named.newPassword)).body).toMatchObject({ code: 'PASSWORD_NAMES' })
  expect((await reset('another long one')).status).toBe(200)

  await expect(setPassword(app.ctx, person.userId, 'password12')).rejects.toThrow('Choose')
})
