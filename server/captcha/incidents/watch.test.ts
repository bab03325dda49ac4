import { randomBytes } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { makeDecisions } from '../../../test/support/decisions.ts'
import { type MadeSite, makeSite } from '../../../test/support/make.ts'
import { makeMember } from '../../../test/support/tenant.ts'
import { testApp } from '../../../test/support/testApp.ts'
import { newId } from '../../kit/crypto/ids.ts'
import { watchIncidents } from './watch.ts'

const app = testApp()
let site: MadeSite
beforeEach(async () => {
  site = await makeSite(app.ctx, { policy: { baseWork: 65_536 } })
})

const DAY = 86_400
/** Raised once by the visitor's network. */
const BY_NETWORK = 1

const decide = (
  n: number,
  { ago = 60, raised = 0, of = site }: { ago?: number; raised?: number; of?: MadeSite } = {},
) =>
  makeDecisions(
    app,
    of,
    Array.from({ length: n }, (_, i) => ({
      ago: ago + (i % 60),
      ...(i < raised && {
        workReasons: BY_NETWORK,
        work: 262_144n,
        action: 'login',
        hostname: 'app.example',
        network: Buffer.from([i % 3]),
      }),
    })),
  )

const refuse = (
  n: number,
  {
    ago = 60,
    code = 'origin-not-allowed',
    endpoint = '/challenge',
  }: { ago?: number; code?: string; endpoint?: string } = {},
) =>
  app.ctx.prisma.refusal.createMany({
    data: Array.from({ length: n }, (_, i) => ({
      id: newId(),
      tenantId: site.tenantId,
      siteId: site.siteId,
      endpoint,
      code,
      hostname: 'evil.example',
      reference: randomBytes(4).toString('hex'),
      at: new Date(Date.now() - (ago + (i % 60)) * 1000),
    })),
  })

const watch = () => watchIncidents(app.ctx)
const incidents = () => app.ctx.prisma.incident.findMany({ where: { siteId: site.siteId }, orderBy: { id: 'asc' } })
/** Lets everything of the site become older. */
const age = async (minutes: number) => {
  for (const [table, columns] of [
    ['decision', ['redeemed_at']],
    ['refusal', ['at']],
    ['incident', ['started_at', 'seen_at', 'announced_at']],
  ] as const)
    await app.sql.query(
      `update ${table} set ${columns.map((column) => `${column} = ${column} - interval '${minutes} minutes'`).join(', ')}
       where site_id = $1`,
      [site.siteId],
    )
  await app.sql.query(
    `update site set incident_mailed_at = incident_mailed_at - interval '${minutes} minutes' where id = $1`,
    [site.siteId],
  )
}

test('raised challenges open an incident that names action, host, networks and difficulty', async () => {
  await decide(100, { raised: 60 })
  await watch()
  expect(await incidents()).toMatchObject([
    {
      kind: 'work',
      peak: 0.6,
      usual: 0,
      action: 'login',
      hostname: 'app.example',
      networks: 3,
      endedAt: null,
      workFrom: 65_536,
      workTo: 262_144,
      honestWork: 65_536,
      cause: null,
    },
  ])
})

test('refused requests open an incident that names the cause', async () => {
  await refuse(70)
  await refuse(20, { code: 'rate-limited' })
  await watch()
  expect(await incidents()).toMatchObject([
    { kind: 'refusals', peak: 90, usual: 0, hostname: 'evil.example', cause: '/challenge origin-not-allowed' },
  ])
})

test('a flood of which only some refusals are stored is as large as it was counted', async () => {
  await refuse(30)
  await app.sql.query(
    `insert into usage_hour (tenant_id, site_id, hour, measure, label, n)
     values ($1, $2, date_trunc('hour', now(), 'UTC'), 'refused', '/challenge origin-not-allowed', 3000)`,
    [site.tenantId, site.siteId],
  )
  await watch()
  expect((await incidents()).map(({ peak }) => peak)).toEqual([3000])
})

test('small numbers are no incident', async () => {
  await decide(10, { raised: 10 })
  await refuse(10)
  await watch()
  expect(await incidents()).toEqual([])
})

test('what happens every day at about this time is no incident', async () => {
  await decide(100, { raised: 60 })
  await refuse(80)
  for (let day = 1; day <= 7; day++) {
    // not at exactly the same time
    const ago = day * DAY + (day % 2 === 0 ? 600 : -600)
    await decide(100, { ago, raised: 55 })
    await refuse(75, { ago })
  }
  await watch()
  expect(await incidents()).toEqual([])
})

test('one such day among seven makes nothing usual', async () => {
  await refuse(80)
  await refuse(80, { ago: DAY })
  await watch()
  expect(await incidents()).toMatchObject([{ kind: 'refusals', usual: 0 }])
})

test('a paused site has no incident', async () => {
  await refuse(80)
  await app.sql.query('update site set paused_at = now() where id = $1', [site.siteId])
  await watch()
  expect(await incidents()).toEqual([])
})

test('an incident goes on while it is above half of the threshold, and ends after five calm minutes', async () => {
  await refuse(80)
  await watch()
  await age(11)
  await refuse(30)
  await watch()
  const [lasting] = await incidents()
  expect(lasting).toMatchObject({ endedAt: null, peak: 80 })
  expect(lasting?.seenAt.getTime()).toBeGreaterThan(Date.now() - 60_000)
  await app.sql.query('delete from refusal where site_id = $1', [site.siteId])
  await age(4)
  await watch()
  expect(await incidents()).toMatchObject([{ endedAt: null }])
  await age(2)
  await watch()
  const [ended] = await incidents()
  expect(ended?.endedAt).toEqual(ended?.seenAt)
  await refuse(80)
  await watch()
  expect(await incidents()).toMatchObject([{ kind: 'refusals' }, { kind: 'refusals', endedAt: null }])
})

test('several nodes at once open one incident of each kind, and send one e-mail', async () => {
  const { email } = await makeMember(app, { id: site.tenantId }, 'developer')
  await makeMember(app, { id: site.tenantId }, 'viewer')
  await decide(100, { raised: 60 })
  await refuse(80)
  await Promise.all([1, 2, 3, 4].map(watch))
  expect((await incidents()).map(({ kind }) => kind).toSorted()).toEqual(['refusals', 'work'])
  expect(await emails()).toEqual([
    [
      email,
      expect.stringMatching(
        /^(Unusual traffic on Test.*, and pages not allowed|Pages not allowed on Test, and unusual traffic)$/,
      ),
    ],
  ])
})

const captured = async () => {
  const ids = (await incidents()).map(({ id }) => id)
  return (await app.emails()).filter(({ text }) => ids.some((id) => text.includes(`/incidents/${id}`)))
}

const emails = async () => (await captured()).map(({ to, subject }) => [to, subject]).toReversed()

test('the e-mail says whether the difficulty was raised', async () => {
  await makeMember(app, { id: site.tenantId }, 'owner')
  await refuse(80)
  await watch()
  expect((await captured())[0]?.text).toContain('The difficulty was not raised.')
  site = await makeSite(app.ctx, { policy: { baseWork: 65_536 } })
  await makeMember(app, { id: site.tenantId }, 'owner')
  await decide(100, { raised: 60 })
  await watch()
  expect((await captured())[0]?.text).toContain('Tollgate has raised the difficulty')
})

test('the e-mail about refused calls of the backend names no attack and offers no attack mode', async () => {
  await makeMember(app, { id: site.tenantId }, 'owner')
  await refuse(80, { endpoint: '/siteverify', code: 'bad-field' })
  await watch()
  const [email] = await captured()
  expect(email?.subject).toBe('Refused requests on Test: bad-request')
  expect(email?.text).toContain('Your own servers make these calls')
  expect(email?.text).not.toContain('attack mode')
})

test('the start is e-mailed at most once an hour for a site, and the end of what was announced once', async () => {
  await makeMember(app, { id: site.tenantId }, 'owner')
  await refuse(80)
  await watch()
  await watch()
  await age(16)
  await watch()
  await watch()
  const subjects = async () => (await emails()).map(([, subject]) => subject)
  expect(await subjects()).toEqual(['Pages not allowed on Test', 'Test: the incident has ended'])
  await refuse(80)
  await watch()
  expect(await incidents()).toHaveLength(2)
  expect(await subjects()).toHaveLength(2)
  // still going on an hour after the first e-mail
  await age(46)
  await refuse(80)
  await watch()
  expect(await subjects()).toEqual([
    'Pages not allowed on Test',
    'Test: the incident has ended',
    'Pages not allowed on Test',
  ])
})

test('people who turned the e-mails off or lack a required second factor get none, and the others of the tenant still do', async () => {
  const owner = await makeMember(app, { id: site.tenantId }, 'owner')
  const developer = await makeMember(app, { id: site.tenantId }, 'developer')
  const { slug: tenant } = await app.ctx.prisma.tenant.findUniqueOrThrow({ where: { id: site.tenantId } })
  expect((await owner.query('incidents.emails', { tenant })).data).toBe(true)
  expect((await owner.mutate('incidents.setEmails', { tenant, on: false })).data).toBe(false)
  expect((await owner.mutate('incidents.setEmails', { tenant, on: false })).data).toBe(false)
  expect((await owner.query('incidents.emails', { tenant })).data).toBe(false)
  expect((await developer.query('incidents.emails', { tenant })).data).toBe(true)
  // no second factor, which the tenant requires from now on
  await makeMember(app, { id: site.tenantId }, 'admin')
  await app.sql.query('update tenant set require_2fa = true where id = $1', [site.tenantId])
  await app.sql.query('update "user" set two_factor_enabled = true where id = $1', [developer.userId])
  await refuse(200)
  await watch()
  expect(await emails()).toEqual([[developer.email, 'Pages not allowed on Test']])
  const { rows } = await app.sql.query(
    "select before, after from audit_event where tenant_id = $1 and action = 'member.set_incident_emails'",
    [site.tenantId],
  )
  expect(rows).toEqual([{ before: { emails: true }, after: { emails: false } }])
})
