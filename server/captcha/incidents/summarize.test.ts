import { beforeAll, expect, test } from 'vitest'
import { makeDecisions } from '../../../test/support/decisions.ts'
import { makeIncident } from '../../../test/support/incident.ts'
import { type MadeSite, makeSite } from '../../../test/support/make.ts'
import { type MadeMember, makeMember, makeOwnedTenant } from '../../../test/support/tenant.ts'
import { testApp } from '../../../test/support/testApp.ts'
import { newId } from '../../kit/crypto/ids.ts'
import type { ChartMarks } from './chartMarks.ts'
import type { IncidentSummary } from './summarize.ts'

const app = testApp()
let site: MadeSite
let tenant: string
let owner: MadeMember
beforeAll(async () => {
  const owned = await makeOwnedTenant(app)
  owner = owned.owner
  tenant = owned.tenant.slug
  site = await makeSite(app.ctx, { tenantId: owned.tenant.id })
})

const MINUTE = 60
const before = (minutes: number) => new Date(Date.now() - minutes * MINUTE * 1000)

test('a summary has the traffic before, during and after, and what was changed meanwhile', async () => {
  const id = await makeIncident(app, site)
  const at = (minutes: number, n: number, workReasons = 0) =>
    Array.from({ length: n }, () => ({ ago: minutes * MINUTE, workReasons }))
  await makeDecisions(app, site, [...at(70, 3), ...at(50, 5, 1), ...at(50, 2), ...at(30, 4), ...at(200, 9)])
  await app.ctx.prisma.refusal.createMany({
    data: [70, ...Array.from({ length: 6 }, () => 50), 30].map((minutes) => ({
      id: newId(),
      tenantId: site.tenantId,
      siteId: site.siteId,
      endpoint: '/solve',
      code: 'bad-field',
      reference: '00000000',
      at: before(minutes),
    })),
  })
  await owner.mutate('sites.setAttackMode', { tenant, site: site.siteId, on: true })
  const { data } = await owner.query('incidents.get', { tenant, id })
  const { phases, points, step, ...incident } = data as IncidentSummary
  expect(incident).toMatchObject({
    id,
    kind: 'refusals',
    site: { id: site.siteId, name: 'Test' },
    peak: 90,
    usual: 2,
    action: 'login',
    cause: { endpoint: '/solve', code: 'bad-field', field: 'solution' },
    why: 'The solution is not base64url without padding, or is too long.',
    changes: [],
  })
  expect(
    phases.map(({ name, completed, raised, charged, refused }) => [name, completed, raised, charged, refused]),
  ).toEqual([
    ['before', 3, 0, 3, 1],
    ['during', 7, 5, 7, 6],
    ['after', 4, 0, 4, 1],
  ])
  expect(points.reduce((sum, { completed }) => sum + completed, 0)).toBe(14)
  expect(points.length).toBeLessThanOrEqual(48)
  expect(points.every(({ at }) => at % step === 0)).toBe(true)

  await app.sql.query('update incident set ended_at = null, seen_at = now() where id = $1', [id])
  const open = (await owner.query('incidents.get', { tenant, id })).data as IncidentSummary
  expect(open.phases.map(({ name }) => name)).toEqual(['before', 'during'])
  expect(open.changes).toMatchObject([{ action: 'site.start_attack_mode', site: site.siteId, by: expect.any(String) }])
  // in attack mode everyone is asked the maximum
  expect(open.honestWork).toBe(6_291_456)
})

test('an open incident says what visitors wait by the policy of now, the action’s own if there is one', async () => {
  const other = await makeSite(app.ctx, { tenantId: site.tenantId })
  const id = await makeIncident(app, other)
  const works = async () => {
    const { workFrom, workTo, honestWork } = (await owner.query('incidents.get', { tenant, id }))
      .data as IncidentSummary
    return { workFrom, workTo, honestWork }
  }
  const ended = await works()
  await app.sql.query('update site set base_work = 4194304 where id = $1', [other.siteId])
  expect(await works()).toEqual(ended)
  await app.sql.query('update incident set ended_at = null where id = $1', [id])
  expect(await works()).toMatchObject({ workFrom: 4_194_304, honestWork: 4_194_304 })
  const own = JSON.stringify([{ action: 'login', baseWork: 2_097_152, workMode: 'adaptive' }])
  await app.sql.query('update site set actions = $2 where id = $1', [other.siteId, own])
  expect(await works()).toMatchObject({ workFrom: 2_097_152, honestWork: 2_097_152 })
})

test('charts get the changes and incidents of their period, and names only those who may read the audit log', async () => {
  await makeIncident(app, site)
  await owner.mutate('secrets.issue', { tenant, site: site.siteId })
  const now = Math.floor(Date.now() / 1000)
  const period = { tenant, from: now - 7200, to: now + 60 }
  const marksFor = async (who: MadeMember, input: object = {}) =>
    ((await who.query('usage.series', { ...period, ...input })).data as { marks: ChartMarks }).marks
  const all = await marksFor(owner)
  expect(all.changes).toContainEqual(
    expect.objectContaining({ action: 'secret.issue', siteName: 'Test', by: expect.any(String) }),
  )
  expect(all.incidents.at(-1)).toMatchObject({ siteName: 'Test' })
  const viewer = await makeMember(app, { id: site.tenantId }, 'viewer')
  expect((await marksFor(viewer)).changes.at(-1)).toMatchObject({ action: 'secret.issue', by: null })
  const other = await makeSite(app.ctx, { tenantId: site.tenantId })
  expect(await marksFor(owner, { site: other.siteId })).toEqual({ changes: [], incidents: [] })
  expect(await marksFor(owner, { from: now - 86_400, to: now - 80_000 })).toEqual({ changes: [], incidents: [] })
})

test('the overview has what is going on, and lists have every incident of the tenant alone', async () => {
  const { owner: stranger, tenant: elsewhere } = await makeOwnedTenant(app)
  const summary = async (who: MadeMember, slug: string) =>
    (await who.query('tenants.summary', { tenant: slug })).data as {
      ongoing: { incidents: unknown[]; attacks: unknown[] }
    }
  await owner.mutate('sites.setAttackMode', { tenant, site: site.siteId, on: true })
  const { ongoing } = await summary(owner, tenant)
  expect(ongoing.attacks).toMatchObject([{ site: site.siteId, name: 'Test', until: expect.any(Number) }])
  expect((await summary(stranger, elsewhere.slug)).ongoing).toEqual({ incidents: [], attacks: [] })
  const billing = await makeMember(app, { id: site.tenantId }, 'billing')
  expect((await summary(billing, tenant)).ongoing).toEqual({ incidents: [], attacks: [] })
  const first = (await owner.query('incidents.list', { tenant, limit: 1 })).data as {
    rows: unknown[]
    nextCursor: string
  }
  const second = (await owner.query('incidents.list', { tenant, cursor: first.nextCursor })).data as { rows: unknown[] }
  expect([first.rows.length, second.rows.length > 0]).toEqual([1, true])
  expect((await stranger.query('incidents.list', { tenant: elsewhere.slug })).data).toMatchObject({ rows: [] })
})

test('a change of the hostnames says which hostname', async () => {
  const own = await makeSite(app.ctx, { tenantId: site.tenantId })
  const id = await makeIncident(app, own, { endedAt: null })
  await owner.mutate('hostnames.add', { tenant, site: own.siteId, hostname: 'new.example' })
  const { data } = await owner.query('incidents.get', { tenant, id })
  expect((data as IncidentSummary).changes.at(-1)).toMatchObject({ action: 'hostname.add', hostname: 'new.example' })
})
