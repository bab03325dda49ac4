import { expect, test } from 'vitest'
import { type MadeSite, makeSite } from '../../../test/support/make.ts'
import { readPages } from '../../../test/support/readPages.ts'
import { testApp } from '../../../test/support/testApp.ts'
import { listRefusals } from './list.ts'

const app = testApp()

/** `count` refusals, one each second before now, with alternating codes. */
const add = (site: MadeSite, count: number, codes: string[] = ['bad-field']) =>
  app.sql.query(
    `insert into refusal (id, tenant_id, site_id, at, endpoint, code, reference)
     select gen_random_uuid(), $1, $2, now() - make_interval(secs => n), '/intents', ($4::text[])[1 + n % cardinality($4)], '00000000'
     from generate_series(1, $3) n`,
    [site.tenantId, site.siteId, count, codes],
  )

const now = () => Math.floor(Date.now() / 1000)
const list = (site: MadeSite, query: object = {}) =>
  listRefusals(app.ctx, { id: site.tenantId }, { from: now() - 86_400 * 3, to: now() + 60, limit: 50, ...query })

const all = (site: MadeSite, query: object = {}) => readPages((cursor) => list(site, { ...query, cursor }))

test('pages contain each refusal once while new ones arrive', async () => {
  const site = await makeSite(app.ctx)
  await add(site, 120)
  const first = await list(site)
  expect(first.rows).toHaveLength(50)
  await app.sql.query(
    `insert into refusal (id, tenant_id, site_id, at, endpoint, code, reference)
      select gen_random_uuid(), $1, $2, now(), '/solve', 'new', '0'`,
    [site.tenantId, site.siteId],
  )
  const second = await list(site, { cursor: first.nextCursor })
  const third = await list(site, { cursor: second.nextCursor })
  const ids = [first, second, third].flatMap(({ rows }) => rows.map(({ id }) => id))
  expect(new Set(ids).size).toBe(120)
  expect(third.nextCursor).toBeNull()
})

test('a filter finds all matches in bounded steps, however sparse they are', async () => {
  const site = await makeSite(app.ctx)
  await add(site, 45_000, [...Array.from({ length: 8999 }, () => 'bad-field'), 'rate-limited'])
  const { ids, pages } = await all(site, { code: 'rate-limited' })
  expect(ids).toHaveLength(5)
  expect(pages).toBe(5)
  expect((await all(site, { code: 'rate-limited', from: now() - 10_000 })).ids).toHaveLength(1)
})

test("returns only refusals of the tenant's sites", async () => {
  const [one, foreign] = [await makeSite(app.ctx), await makeSite(app.ctx)]
  const two = await makeSite(app.ctx, { tenantId: one.tenantId })
  await Promise.all([add(one, 2), add(two, 3), add(foreign, 4)])
  expect((await list(one)).rows).toHaveLength(5)
  expect((await list(one, { site: two.siteId })).rows).toHaveLength(3)
  expect((await list(one, { site: foreign.siteId })).rows).toEqual([])
  const { nextCursor } = await list(foreign, { limit: 1 })
  const after = await list(one, { cursor: nextCursor })
  expect(after.rows.map(({ site }) => site.id)).not.toContain(foreign.siteId)
})

test("a list ends, and does not start again, if its cursor's row was deleted", async () => {
  const site = await makeSite(app.ctx)
  await add(site, 60)
  const first = await list(site)
  await app.sql.query(
    'delete from refusal where site_id = $1 and id::text = any(select id::text from refusal where site_id = $1 order by at limit 15)',
    [site.siteId],
  )
  expect(await list(site, { cursor: first.nextCursor })).toEqual({ rows: [], nextCursor: null })
})

test('finds a refusal by its host and by its reference', async () => {
  const site = await makeSite(app.ctx)
  await add(site, 3)
  await app.sql.query(
    `insert into refusal (id, tenant_id, site_id, endpoint, code, hostname, reference)
     values (gen_random_uuid(), $1, $2, '/challenge', 'origin-not-allowed', 'mirror.example', '7e032b58')`,
    [site.tenantId, site.siteId],
  )
  for (const filter of [{ hostname: 'mirror.example' }, { hostname: '*MIRROR*' }, { reference: '7e032b58' }])
    expect((await list(site, filter)).rows).toMatchObject([{ hostname: 'mirror.example', endpoint: '/challenge' }])
  expect((await list(site, { hostname: 'mirror' })).rows).toEqual([])
})
