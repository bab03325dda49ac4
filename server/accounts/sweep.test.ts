import { beforeAll, expect, test } from 'vitest'
import { createBrowser, type SignedIn } from '../../test/support/browser.ts'
import { type MadeTenant, makeOwnedTenant } from '../../test/support/tenant.ts'
import { testApp } from '../../test/support/testApp.ts'
import { sweepAccounts } from './sweep.ts'

const app = testApp()
let tenant: MadeTenant
let person: SignedIn
beforeAll(async () => {
  ;({ tenant, owner: person } = await makeOwnedTenant(app))
})

/** Inserts sessions, verifications and invitations that ended `days` ago; negative: that are still valid. */
async function end(days: number, count: number) {
  const at = `now() - make_interval(days => ${days}) from generate_series(1, ${count})`
  await app.sql.query(
    `insert into session (id, user_id, token, updated_at, expires_at)
     select gen_random_uuid(), '${person.userId}', gen_random_uuid()::text, now(), ${at}`,
  )
  await app.sql.query(
    `insert into verification (id, identifier, value, updated_at, expires_at) select gen_random_uuid(), 'x', 'y', now(), ${at}`,
  )
  await app.sql.query(
    `insert into invitation (id, tenant_id, email, role, inviter_id, expires_at)
     select gen_random_uuid(), '${tenant.id}', 'x@people.example', 'viewer', '${person.userId}', ${at}`,
  )
  await app.sql.query(
    `insert into grant_revocation (id, tenant_id, target, grant_ids, revoked_at)
     select gen_random_uuid(), '${tenant.id}', 'x', '{}', ${at}`,
  )
  await app.sql.query(
    `insert into api_reply (id, key_id, name, request, reply, created_at)
     select gen_random_uuid(), gen_random_uuid(), 'x', '', 'encrypted', ${at}`,
  )
}

const counts = async () => {
  const rows = await app.rows(
    `select (select count(*)::int from session) as session, (select count(*)::int from verification) as verification,
       (select count(*)::int from invitation) as invitation,
       (select count(*)::int from grant_revocation) as grant_revocation, (select count(*)::int from api_reply) as api_reply`,
  )
  return rows[0]
}

test('deletes expired sessions and one-time values, and invitations after 30 more days, and keeps the rest', async () => {
  await end(31, 2500)
  await end(29, 10)
  await end(-1, 3)
  expect(await sweepAccounts(app.ctx)).toEqual({
    session: 2510,
    verification: 2510,
    grant_revocation: 2510,
    api_reply: 2510,
    invitation: 2500,
    account_event: 0,
    user: 0,
  })
  // the person's own session besides
  expect(await counts()).toEqual({ session: 4, verification: 3, invitation: 13, grant_revocation: 3, api_reply: 3 })
  expect((await person.query('session.me')).data).not.toBeNull()
  expect(await sweepAccounts(app.ctx)).toEqual({
    session: 0,
    verification: 0,
    grant_revocation: 0,
    api_reply: 0,
    invitation: 0,
    account_event: 0,
    user: 0,
  })
})

test('deletes an unconfirmed sign-up with its password after 30 days, which frees the address', async () => {
  const signUp = (email: string) => createBrowser(app).signUp(email)
  await signUp('old@people.example')
  await signUp('young@people.example')
  await app.sql.query(`update "user" set created_at = now() - interval '31 days' where email <> 'young@people.example'`)
  expect((await sweepAccounts(app.ctx)).user).toBe(1)
  const rows = await app.rows(`select email from "user" u join account a on a.user_id = u.id where not email_verified`)
  expect(rows).toEqual([{ email: 'young@people.example' }])
  await signUp('old@people.example')
  const subject = async () => (await app.emails()).find(({ to }) => to === 'old@people.example')?.subject
  await expect.poll(subject).toBe('Confirm your e-mail address')
})
