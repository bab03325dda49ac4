import { expect, test } from 'vitest'
import { createBrowser, makePerson } from '../../../test/support/browser.ts'
import { setTwoFactor } from '../../../test/support/staff.ts'
import { makeMember, makeOwnedTenant, makeTenant } from '../../../test/support/tenant.ts'
import { setUp, testApp } from '../../../test/support/testApp.ts'
import { newId } from '../../kit/crypto/ids.ts'
import type { MemberCtx } from '../access.ts'
import { changeRole } from './changeRole.ts'
import { removeMember } from './remove.ts'

const app = testApp()
const tenant = setUp(() => makeTenant(app))
const owner = setUp(() => makeMember(app, tenant, 'owner'))

const invite = async (email: string, role: string, by = owner) =>
  by.mutate('members.invite', { tenant: tenant.slug, email, role })
const idOf = (called: { data: unknown }) => (called.data as { id: string }).id
const membershipsOf = (userId: string) =>
  app.rows('select id, role from member where tenant_id = $1 and user_id = $2', [tenant.id, userId])
const audited = (action: string) =>
  app.rows('select target from audit_event where tenant_id = $1 and action = $2', [tenant.id, action])

test('accepting an invitation ten times at once creates one membership and one audit row', async () => {
  const guest = await makePerson(app)
  const id = idOf(await invite(guest.email.toUpperCase(), 'developer'))
  expect((await app.emails()).find(({ to }) => to === guest.email)?.text).toContain(`/invite/${id}`)
  expect((await guest.query('members.invitation', { id })).data).toMatchObject({ role: 'developer', state: 'open' })

  const before = (await audited('member.join')).length
  const races = await Promise.all(Array.from({ length: 10 }, () => guest.mutate('members.accept', { id })))
  expect(races.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(races.filter(({ code }) => code === 'CONFLICT')).toHaveLength(9)
  expect(await membershipsOf(guest.userId)).toMatchObject([{ role: 'developer' }])
  expect(await audited('member.join')).toHaveLength(before + 1)
  expect((await guest.query('members.invitation', { id })).data).toMatchObject({ state: 'accepted' })
})

test('shows an invitation to who has its link, and lets only the person of its address accept it', async () => {
  const guest = await makePerson(app)
  const other = await makePerson(app)
  const id = idOf(await invite(guest.email, 'viewer'))
  for (const reader of [guest, other, createBrowser(app)])
    expect((await reader.query('members.invitation', { id })).data).toMatchObject({ email: guest.email, state: 'open' })
  expect((await createBrowser(app).query('members.invitation', { id: newId() })).code).toBe('NOT_FOUND')
  expect((await guest.query('members.offers', {})).data).toMatchObject([{ id }])
  expect((await other.query('members.offers', {})).data).toEqual([])
  expect((await other.mutate('members.accept', { id })).code).toBe('NOT_FOUND')
  expect((await createBrowser(app).mutate('members.accept', { id })).code).toBe('UNAUTHORIZED')
  expect(await membershipsOf(other.userId)).toEqual([])
})

test('refuses an invitation that has expired, was revoked or was replaced', async () => {
  const guest = await makePerson(app)
  const aged = idOf(await invite(guest.email, 'viewer'))
  const rows = await app.rows<{ hours: number }>(
    `update invitation set expires_at = now() - interval '1 s' where id = $1
     returning extract(epoch from (select expires_at - created_at from invitation where id = $1)) / 3600 as hours`,
    [aged],
  )
  expect(Number(rows[0]?.hours)).toBeCloseTo(72, 2)
  const second = await invite(guest.email, 'viewer')
  const third = await invite(guest.email, 'viewer')
  // an invitation that had expired is not said to be replaced
  expect([second.data, third.data]).toMatchObject([{ replaced: false }, { replaced: true }])
  const [replaced, takenBack] = [idOf(second), idOf(third)]
  await owner.mutate('members.revokeInvitation', { tenant: tenant.slug, id: takenBack })
  for (const [id, state] of [
    [aged, 'expired'],
    [replaced, 'revoked'],
    [takenBack, 'revoked'],
  ]) {
    expect((await guest.mutate('members.accept', { id })).code).toBe('CONFLICT')
    expect((await guest.query('members.invitation', { id })).data).toMatchObject({ state })
  }
  expect(await membershipsOf(guest.userId)).toEqual([])
})

test('an expired invitation is listed until it is sent again or revoked', async () => {
  const { tenant: own, owner: who } = await makeOwnedTenant(app)
  const email = `${newId()}@people.example`
  const send = () => who.mutate('members.invite', { tenant: own.slug, email, role: 'viewer' })
  const list = async () =>
    ((await who.query('members.invitations', { tenant: own.slug })).data as { rows: { id: string }[] }).rows
  const first = idOf(await send())
  await app.sql.query("update invitation set expires_at = now() - interval '1 hour' where id = $1", [first])
  expect((await list()).map(({ id }) => id)).toEqual([first])
  const second = idOf(await send())
  expect((await list()).map(({ id }) => id)).toEqual([second])
})

test('members see when each of them was last active, and who has never been', async () => {
  const { tenant: own, owner: who } = await makeOwnedTenant(app)
  const gone = await makeMember(app, own, 'viewer')
  await app.sql.query('delete from session where user_id = $1', [gone.userId])
  await app.sql.query('delete from account_event where user_id = $1', [gone.userId])
  const { data } = await who.query('members.list', { tenant: own.slug })
  expect(data).toMatchObject({
    rows: [
      { userId: who.userId, lastActiveAt: expect.any(Number), neverActive: false },
      { userId: gone.userId, lastActiveAt: null, neverActive: true },
    ],
  })
  // a sign-in of that time would have been deleted
  await app.sql.query(`update "user" set created_at = now() - interval '91 days' where id = $1`, [gone.userId])
  const { data: later } = await who.query('members.list', { tenant: own.slug })
  expect(later).toMatchObject({ rows: [{ neverActive: false }, { lastActiveAt: null, neverActive: false }] })
})

test('limits a tenant to twenty invitations in ten minutes', async () => {
  const busy = await makeTenant(app)
  const admin = await makeMember(app, busy, 'admin')
  const send = (i: number) =>
    admin.mutate('members.invite', { tenant: busy.slug, email: `many${i}@people.example`, role: 'viewer' })
  const sent = await Promise.all(Array.from({ length: 22 }, (_, i) => send(i)))
  expect(sent.filter(({ status }) => status === 200)).toHaveLength(20)
  expect(sent.filter(({ code }) => code === 'TOO_MANY_REQUESTS')).toHaveLength(2)
})

test("refuses invitations above the inviter's role, and invitations of a removed inviter", async () => {
  const admin = await makeMember(app, tenant, 'admin')
  const guest = await makePerson(app)
  expect((await invite(guest.email, 'owner', admin)).code).toBe('FORBIDDEN')
  const id = idOf(await invite(guest.email, 'admin', admin))
  await owner.mutate('members.remove', { tenant: tenant.slug, member: admin.memberId })
  expect((await guest.mutate('members.accept', { id })).code).toBe('CONFLICT')
  expect(await membershipsOf(guest.userId)).toEqual([])
})

test('an admin cannot make owners or change an owner', async () => {
  const admin = await makeMember(app, tenant, 'admin')
  const at = { tenant: tenant.slug }
  expect((await admin.mutate('members.changeRole', { ...at, member: admin.memberId, role: 'owner' })).code).toBe(
    'FORBIDDEN',
  )
  expect((await admin.mutate('members.changeRole', { ...at, member: owner.memberId, role: 'viewer' })).code).toBe(
    'FORBIDDEN',
  )
  expect((await admin.mutate('members.remove', { ...at, member: owner.memberId })).code).toBe('FORBIDDEN')
  expect(await membershipsOf(owner.userId)).toMatchObject([{ role: 'owner' }])
})

test('refuses to remove or demote the last owner', async () => {
  const at = { tenant: tenant.slug, member: owner.memberId }
  expect((await owner.mutate('members.leave', { tenant: tenant.slug })).code).toBe('CONFLICT')
  expect((await owner.mutate('members.remove', at)).code).toBe('CONFLICT')
  expect((await owner.mutate('members.changeRole', { ...at, role: 'admin' })).code).toBe('CONFLICT')
  expect(await membershipsOf(owner.userId)).toMatchObject([{ role: 'owner' }])
})

test('keeps one of two owners who leave at the same time', async () => {
  const shared = await makeTenant(app)
  const owners = await Promise.all([1, 2].map(() => makeMember(app, shared, 'owner')))
  const left = await Promise.all(owners.map((person) => person.mutate('members.leave', { tenant: shared.slug })))
  expect(left.map(({ status }) => status).toSorted()).toEqual([200, 409])
  const rows = await app.rows(`select 1 from member where tenant_id = $1 and role = 'owner'`, [shared.id])
  expect(rows).toHaveLength(1)
})

test('a transfer makes the other member owner and the caller admin, who may then leave', async () => {
  const { tenant: shared, owner: giver } = await makeOwnedTenant(app)
  const taker = await makeMember(app, shared, 'viewer')
  const transfer = () => giver.mutate('members.transfer', { tenant: shared.slug, member: taker.memberId })
  expect((await transfer()).status).toBe(200)
  expect((await transfer()).code).toBe('FORBIDDEN')
  await taker.signIn(taker.email)
  expect((await taker.query('tenants.get', { tenant: shared.slug })).data).toMatchObject({ role: 'owner' })
  expect((await giver.query('tenants.get', { tenant: shared.slug })).data).toMatchObject({ role: 'admin' })
  expect((await giver.mutate('members.leave', { tenant: shared.slug })).status).toBe(200)
  expect((await giver.query('tenants.get', { tenant: shared.slug })).code).toBe('NOT_FOUND')
})

test('counts all members without a second factor and lists the first of them', async () => {
  const { tenant: large, owner: protectedOne } = await makeOwnedTenant(app)
  await setTwoFactor(app, protectedOne, true)
  await app.sql.query(
    `with u as (insert into "user" (id, name, email, email_verified, updated_at)
       select gen_random_uuid(), 'Pat', 'many' || i || '@large.example', true, now() from generate_series(1, 250) i returning id)
     insert into member (id, tenant_id, user_id, role) select gen_random_uuid(), $1, id, 'viewer' from u`,
    [large.id],
  )
  const { data } = await protectedOne.query('members.unprotected', { tenant: large.slug })
  const { count, first } = data as { count: number; first: { id: string; email: string }[] }
  expect([count, first.length]).toEqual([250, 20])
  for (const { email } of first) expect(email).toMatch(/@large\.example$/)
})

test('a removed member is refused from the next request on', async () => {
  const person = await makeMember(app, tenant, 'admin')
  expect((await person.query('sites.list', { tenant: tenant.slug })).status).toBe(200)
  await owner.mutate('members.remove', { tenant: tenant.slug, member: person.memberId })
  expect((await person.query('sites.list', { tenant: tenant.slug })).code).toBe('NOT_FOUND')
})

test('a member who was demoted after the request was admitted changes no members', async () => {
  const [demoted, other] = [await makeMember(app, tenant, 'viewer'), await makeMember(app, tenant, 'viewer')]
  // the context as it was before the demotion
  const ctx = {
    ...app.ctx,
    user: { id: demoted.userId },
    tenant,
    role: 'admin',
    actor: { type: 'user', id: demoted.userId },
  } as unknown as MemberCtx
  await expect(changeRole(ctx, { member: other.memberId, role: 'admin' })).rejects.toMatchObject({
    code: 'role-required',
  })
  await expect(removeMember(ctx, { member: other.memberId })).rejects.toMatchObject({ code: 'role-required' })
})
