import { expect, test } from 'vitest'
import { openOwnApp, type TestApp } from '../../../test/support/app.ts'
import { createBrowser } from '../../../test/support/browser.ts'
import { makeSite } from '../../../test/support/make.ts'
import { type Puzzles, solvePuzzles } from '../../../test/support/solver.ts'
import { makeMember, makeTenant } from '../../../test/support/tenant.ts'
import { setUp, testApp } from '../../../test/support/testApp.ts'
import { written } from '../../../test/support/written.ts'
import type { Fault, TriedCall } from './playground.ts'

const app = testApp()
const tenant = setUp(() => makeTenant(app))
const owner = setUp(() => makeMember(app, tenant, 'owner'))

type Caller = { mutate(procedure: string, input: object): Promise<{ data: unknown; reason?: string }> }

/** Runs the calls of a page that tries a verification: what its last calls answered. */
async function tried(
  { client }: TestApp,
  caller: Caller,
  { router, input = {}, fault }: { router: 'sites' | 'system'; input?: object; fault?: Fault },
) {
  const more = { ...input, ...(fault && { fault }) }
  const opened = (await caller.mutate(`${router}.tryOpen`, more)).data as TriedCall
  const { intent_id, sitekey } = opened.reply as { intent_id: string; sitekey: string }
  const keys = { sitekey, secret: '' }
  const from = { origin: 'http://localhost:3000' }
  const issued = await client.challenge(keys, intent_id, from)
  if (issued.status !== 200) return issued.body
  const puzzle = issued.body as Puzzles & { challenge: string }
  const solution = solvePuzzles(puzzle)
  const solved = await client.solve(keys, { intent_id, challenge: puzzle.challenge, solution }, from)
  const redeemed = await caller.mutate(`${router}.tryRedeem`, {
    ...more,
    intentId: intent_id,
    response: solved.body['response'],
  })
  return (redeemed.data as TriedCall[]).map(({ status, reply }) => reply['error'] ?? status)
}

test('what a member tries costs no unit, and is counted for no visitor', async () => {
  const site = await makeSite(app.ctx, { tenantId: tenant.id })
  const input = { tenant: tenant.slug, site: site.siteId }
  expect(await tried(app, owner, { router: 'sites', input })).toEqual([200])
  expect(await tried(app, owner, { router: 'sites', input, fault: 'reused-token' })).toEqual([200, 'already-redeemed'])
  await written(app)
  expect(await app.rows('select charged_to from decision where site_id = $1', [site.siteId])).toEqual([
    { charged_to: 'test' },
    { charged_to: 'test' },
  ])
  expect(await app.rows('select measure from usage_hour where site_id = $1', [site.siteId])).toEqual([])
  expect(await app.rows('select used from quota_period where tenant_id = $1 and used > 0', [tenant.id])).toEqual([])
  expect((await owner.query('tenants.summary', { tenant: tenant.slug })).data).toMatchObject({
    lastDecisionAt: null,
    done: { site: true, intent: false, decision: false },
  })
})

test('what is refused to a member who tries is neither counted nor listed', async () => {
  const site = await makeSite(app.ctx, { tenantId: tenant.id })
  const input = { tenant: tenant.slug, site: site.siteId }
  for (const fault of ['reused-token', 'no-quota', 'wrong-host', 'expired'] as const)
    await tried(app, owner, { router: 'sites', input, fault })
  const { reply } = (await owner.mutate('sites.tryOpen', input)).data as TriedCall
  const intentId = String(reply['intent_id'])
  const from = { origin: 'http://localhost:3000' }
  const puzzle = (await app.client.challenge(site, intentId, from)).body as Puzzles & { challenge: string }
  const solution = Buffer.from(solvePuzzles(puzzle), 'base64url').fill(0).toString('base64url')
  const wrong = { intent_id: intentId, challenge: puzzle.challenge, solution }
  expect((await app.client.solve(site, wrong, from)).body).toEqual({ error: 'solution-invalid' })
  expect((await app.client.challenge(site, intentId, { origin: 'https://elsewhere.example' })).body).toEqual({
    error: 'origin-not-allowed',
  })
  await written(app)
  expect(await app.rows('select code from refusal where site_id = $1', [site.siteId])).toEqual([])
  expect(await app.rows('select measure, label from usage_hour where site_id = $1', [site.siteId])).toEqual([])
})

test('counts that are repaired do not contain what was tried', async () => {
  const site = await makeSite(app.ctx, { tenantId: tenant.id })
  await tried(app, owner, { router: 'sites', input: { tenant: tenant.slug, site: site.siteId } })
  const counted = await app.rows(
    "select measure, n from true_usage(now() - interval '1 hour', now() + interval '1 hour', now() - interval '1 hour') where site = $1",
    [site.siteId],
  )
  expect(counted).toEqual([])
})

test('anyone can try a verification and break it, at a site of no merchant', async () => {
  const visitor = createBrowser(app)
  const outcomes = []
  for (const fault of [undefined, 'reused-token', 'no-quota', 'expired', 'wrong-host'] as const)
    outcomes.push(await tried(app, visitor, { router: 'system', ...(fault && { fault }) }))
  expect(outcomes).toEqual([
    [200],
    [200, 'already-redeemed'],
    ['quota-exceeded'],
    { error: 'intent-expired' },
    { error: 'origin-not-allowed' },
  ])
  expect((await visitor.query('system.explain', { error: 'intent-expired' })).data).toMatchObject({
    cause: expect.stringMatching(/\w/),
  })
  expect(await app.rows("select from secret k join site s on s.id = k.site_id where s.name = 'TESTtry'")).toEqual([])
})

test('a page that the operator has not switched on does not exist, also not for its site key', async () => {
  const production = await openOwnApp({ NODE_ENV: 'production' })
  const visitor = createBrowser(production)
  expect(await visitor.mutate('system.tryOpen', {})).toMatchObject({ status: 404, reason: 'page-not-found' })
  expect((await visitor.query('system.overview')).data).toMatchObject({ tryPage: false })
  const { body } = await production.client.challenge(
    { sitekey: 'tg_site_TESTtry0000000000000', secret: '' },
    '01890000-0000-7000-8000-000000000000',
  )
  expect(body).toEqual({ error: 'bad-request', field: 'sitekey' })
})

test('with it on in production, the test keys stay off', async () => {
  const production = await openOwnApp({ NODE_ENV: 'production', TRY: 'on' })
  expect(await tried(production, createBrowser(production), { router: 'system' })).toEqual([200])
  expect(await production.rows("select name from site where name like 'TEST%'")).toEqual([{ name: 'TESTtry' }])
})
