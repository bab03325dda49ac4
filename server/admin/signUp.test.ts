import { expect, test } from 'vitest'
import { createBrowser } from '../../test/support/browser.ts'
import { makeOwnedTenant } from '../../test/support/tenant.ts'
import { testApp } from '../../test/support/testApp.ts'
import { newId } from '../kit/crypto/ids.ts'

const app = testApp({ SIGN_UP: 'off' })

const newAddress = () => `${newId()}@people.example`

const signUp = (email: string, invitation?: string) => createBrowser(app).signUp(email, { invitation })

const exists = (email: string) => app.ctx.prisma.user.count({ where: { email } })

test('with SIGN_UP=off only the invited person can create an account, through their own open invitation', async () => {
  const { tenant, owner } = await makeOwnedTenant(app)
  const invited = newAddress()
  const { data } = await owner.mutate('members.invite', { tenant: tenant.slug, email: invited, role: 'viewer' })
  const { id } = data as { id: string }

  const stranger = newAddress()
  const refused = await signUp(stranger)
  expect([refused.status, refused.body]).toEqual([
    403,
    { code: 'INVITATION_REQUIRED', message: expect.stringContaining('come by invitation') },
  ])
  // neither an address that is invited nor one with an account can be found out
  for (const [email, invitation] of [
    [stranger, newId()],
    [stranger, id],
    [invited, undefined],
    [invited, newId()],
    [owner.email, undefined],
  ] as const)
    expect(await signUp(email, invitation)).toMatchObject({ status: 403, body: refused.body })
  expect([await exists(stranger), await exists(invited)]).toEqual([0, 0])

  expect((await signUp(invited.toUpperCase(), id)).status).toBe(200)
  expect(await exists(invited)).toBe(1)
  expect((await createBrowser(app).query('system.overview')).data).toMatchObject({ signUp: false })
})

test('an invitation that was revoked opens nothing', async () => {
  const { tenant, owner } = await makeOwnedTenant(app)
  const email = newAddress()
  const { data } = await owner.mutate('members.invite', { tenant: tenant.slug, email, role: 'viewer' })
  const { id } = data as { id: string }
  await owner.mutate('members.revokeInvitation', { tenant: tenant.slug, id })
  expect((await signUp(email, id)).status).toBe(403)
})
