import { expect, test } from 'vitest'
import { makeDecisions } from '../../../test/support/decisions.ts'
import { type MadeSite, makeSite } from '../../../test/support/make.ts'
import { testApp } from '../../../test/support/testApp.ts'
import { tailDecisions } from './tail.ts'

const app = testApp()

const tail = (site: MadeSite, options?: Parameters<typeof tailDecisions>[3]) =>
  tailDecisions(app.ctx, { id: site.tenantId }, {}, options)

const ids = ({ rows }: { rows: { id: string }[] }) => rows.map(({ id }) => id)

test('returns each redemption once, oldest first', async () => {
  const site = await makeSite(app.ctx)
  const following = tail(site)
  expect(ids(await following.next())).toEqual([])
  const made = await makeDecisions(app, site, [{ ago: 2 }, { ago: 1 }])
  expect(ids(await following.next())).toEqual(made)
  expect(ids(await following.next())).toEqual([])
})

test('returns a redemption that becomes visible after later ones', async () => {
  const site = await makeSite(app.ctx)
  const following = tail(site)
  const slow = await app.sql.connect()
  await slow.query('begin')
  await slow.query(
    `insert into decision (id, tenant_id, site_id, action, hostname, token_hash, key_hash, charged_to)
     values (gen_random_uuid(), $1, $2, 'slow', 'shop.example', '', '', 'quota')`,
    [site.tenantId, site.siteId],
  )
  const [quick] = await makeDecisions(app, site, [{}])
  expect(ids(await following.next())).toEqual([quick])
  await slow.query('commit')
  slow.release()
  expect((await following.next()).rows.map(({ action }) => action)).toEqual(['slow'])
  expect(ids(await following.next())).toEqual([])
})

test('returns more decisions than fit into a step in several, without loss or repetition', async () => {
  const site = await makeSite(app.ctx)
  const made = await makeDecisions(
    app,
    site,
    Array.from({ length: 25 }, (_, i) => ({ ago: 100 - 4 * Math.floor(i / 5) })),
  )
  const following = tail(site, { after: Date.now() / 1000 - 200, batch: 10 })
  const steps = [await following.next(), await following.next(), await following.next()]
  expect(steps.map(({ full }) => full)).toEqual([true, true, false])
  expect(steps.flatMap(ids).toSorted()).toEqual(made.toSorted())
  expect(ids(await following.next())).toEqual([])
})

test('resuming from an earlier position misses nothing', async () => {
  const site = await makeSite(app.ctx)
  const first = tail(site)
  const made = await makeDecisions(app, site, [{ ago: 3 }])
  const returned = ids(await first.next())
  const position = first.position()
  made.push(...(await makeDecisions(app, site, [{ ago: 2 }, { ago: 1 }])))
  returned.push(...ids(await tail(site, { after: position }).next()))
  expect([...new Set(returned)].toSorted()).toEqual(made.toSorted())
})

test('returns only matching decisions of the tenant', async () => {
  const [site, foreign] = [await makeSite(app.ctx), await makeSite(app.ctx)]
  const following = tailDecisions(app.ctx, { id: site.tenantId }, { device: 'mobile' })
  await makeDecisions(app, foreign, [{ mobile: true }])
  const [, mobile] = await makeDecisions(app, site, [{}, { mobile: true }])
  expect(ids(await following.next())).toEqual([mobile])
})
