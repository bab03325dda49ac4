import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '../../../../test/support/app.ts'
import { type MadeSite, makeSite } from '../../../../test/support/make.ts'
import { makeStaff } from '../../../../test/support/staff.ts'
import { written } from '../../../../test/support/written.ts'
import { admitOperator, admitVisitor, type OperatorCtx, type VisitorCtx } from '../../../accounts/access.ts'
import { addNetwork } from '../../../accounts/networks/add.ts'
import { changeNetwork } from '../../../accounts/networks/change.ts'
import type { ListOwner } from '../../../accounts/networks/owner.ts'
import { removeNetwork } from '../../../accounts/networks/remove.ts'
import { type NetworkVerdict, VERDICTS } from '../../../contract/networks.ts'
import { ClientAddress } from '../../../kit/http/client.ts'
import { explainRefusal } from '../../refusals/explain.ts'
import { unpackReasons } from '../difficulty/reasons.ts'
import { hashedNetworks } from '../difficulty/signals.ts'
import { visitorOf } from '../visitor.ts'
import { ownKey } from './busy.ts'
import { COUNTS } from './counts.ts'
import { findNetworks } from './find.ts'
import { assertNotDenied, listOf, networkLists } from './lists.ts'

let folder: string
let path: string
let app: TestApp
let operator: OperatorCtx
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-lists-'))
  path = join(folder, 'networks.txt')
  writeFileSync(path, '')
  app = await openTestApp({ NETWORKS_FILE: path })
  operator = admitOperator(app.ctx, 'test')
})
afterAll(async () => {
  await app.close()
  rmSync(folder, { recursive: true })
})

const DEPLOYMENT: ListOwner = { site: null }
const ofSite = ({ siteId, tenantId }: MadeSite): ListOwner => ({ site: { id: siteId, tenantId } })
async function list(owner: ListOwner, network: string, verdict: NetworkVerdict): Promise<void> {
  await addNetwork(operator, owner, { network, verdict, note: 'test' })
  // the node reads the deployment's list in the background
  await networkLists(app.ctx).readRules()
}

let version = 0
/** Replaces the operator's file, as a program would do it, and lets the node notice. */
async function replaceFile(text: string): Promise<void> {
  // a file system may store whole seconds only; the size differs each time
  writeFileSync(path, `${text}\n#${'.'.repeat(++version)}\n`)
  await networkLists(app.ctx).readFile()
}

async function visit(site: MadeSite, address: string): Promise<VisitorCtx> {
  const client = { address: new ClientAddress(address), headers: {} }
  const visitor = await admitVisitor(app.ctx, site.sitekey, {
    address: client.address,
    look: (facts) => visitorOf(app.ctx, client, facts),
  })
  if (!visitor) throw new Error('no such site')
  return visitor
}

/** What happens to a visitor: a list, `deny` with the list that denies, or null. */
async function verdictOn(site: MadeSite, address: string): Promise<string | null> {
  const { visitor } = await visit(site, address)
  try {
    assertNotDenied(visitor)
    return listOf(visitor)
  } catch (error) {
    return `deny by ${(error as { detail: string }).detail}`
  }
}

test('a dear network pays four times the difficulty, an allowed one nothing for being busy; both are in the decision', async () => {
  const site = await makeSite(app.ctx)
  await list(ofSite(site), '203.0.113.0/24', 'dear')
  await list(ofSite(site), '198.51.100.0/24', 'allow')
  const decide = async (address: string) => {
    const earned = await app.client.earn(site, {}, { address })
    expect((await app.client.siteverify(site, earned)).status).toBe(200)
    const { rows } = await app.sql.query<{ work: string; work_reasons: number }>(
      'select work, work_reasons from decision where id = $1',
      [earned['intent_id']],
    )
    return { work: Number(rows[0]?.work), reasons: unpackReasons(rows[0]?.work_reasons ?? 0) }
  }
  expect(await decide('203.0.113.9')).toMatchObject({ work: 256, reasons: { list: 'dear' } })
  expect(await decide('203.0.114.9')).toMatchObject({ work: 64, reasons: { list: null } })
  const counts = app.ctx.resources.of(COUNTS)
  for (const address of ['198.51.100.9', '2001:db8::9']) {
    const visitor = await visit(site, address)
    for (const network of hashedNetworks(visitor))
      counts.of('own').count(ownKey(visitor, network), app.ctx.clock.now(), 1.5 * network.calm)
  }
  expect(await decide('198.51.100.9')).toMatchObject({ work: 64, reasons: { list: 'allow', network: 0 } })
  expect(await decide('2001:db8::9')).toMatchObject({ work: 128, reasons: { list: null, network: 1 } })
})

test('a denied network gets 429 with an hour to wait, and the merchant sees which list it was', async () => {
  const site = await makeSite(app.ctx)
  await list(ofSite(site), '203.0.113.0/24', 'deny')
  await list(DEPLOYMENT, '2001:db8:5::/48', 'deny')
  const { body } = await app.client.intent(site)
  for (const address of ['203.0.113.7', '::ffff:203.0.113.7', '2001:db8:5::1']) {
    const reply = await app.client.challenge(site, body['intent_id'], { address })
    expect({ address, status: reply.status, body: reply.body }).toEqual({
      address,
      status: 429,
      body: { error: 'rate-limited' },
    })
    expect(reply.headers.get('retry-after')).toBe('3600')
  }
  expect((await app.client.challenge(site, body['intent_id'], { address: '203.0.114.7' })).status).toBe(200)
  await written(app)
  const { rows } = await app.sql.query<{ code: string; field: string; intent_id: string }>(
    'select code, field, intent_id from refusal where site_id = $1 order by at',
    [site.siteId],
  )
  expect(rows.map(({ code, field }) => `${code} ${field}`)).toEqual([
    'rate-limited site-list',
    'rate-limited site-list',
    'rate-limited deployment-list',
  ])
  expect(rows[0]?.intent_id).toBe(body['intent_id'])
  expect(explainRefusal('rate-limited', 'site-list').cause).toContain('this site’s list of networks')
  expect(explainRefusal('rate-limited', 'deployment-list').cause).toContain('the operator of this service')
  expect(explainRefusal('rate-limited', null).cause).not.toContain('list')
  await removeNetwork(operator, DEPLOYMENT, { network: '2001:db8:5::/48' })
})

test('a grant does not help a denied network', async () => {
  const site = await makeSite(app.ctx)
  const decision_id = await app.client.decide(site)
  const { grant_id } = (await app.client.asSite('/grants', site, { decision_id })).body
  const { body } = await app.client.intent(site, { trusted_grant_id: grant_id })
  await list(ofSite(site), '203.0.113.0/24', 'deny')
  expect((await app.client.challenge(site, body['intent_id'], { address: '203.0.113.7' })).status).toBe(429)
  expect((await app.client.challenge(site, body['intent_id'], { address: '203.0.114.7' })).body['kind']).toBe('none')
})

test('the longest prefix decides; of equal ones the site’s, then the deployment’s, then the file’s', async () => {
  const site = await makeSite(app.ctx)
  const neighbour = await makeSite(app.ctx)
  await replaceFile('100.64.0.0/10 deny\n100.64.1.0/24 dear\n100.64.1.0/24 allow\n100.64.2.9 dear')
  expect(await verdictOn(site, '100.64.9.9')).toBe('deny by deployment-list')
  // the stricter of two lines about the same range
  expect(await verdictOn(site, '100.64.1.9')).toBe('dear')

  await list(DEPLOYMENT, '100.64.1.0/24', 'deny')
  await expect.poll(() => verdictOn(site, '100.64.1.9')).toBe('deny by deployment-list')
  await list(ofSite(site), '100.64.1.0/24', 'allow')
  expect(await verdictOn(site, '100.64.1.9')).toBe('allow')
  expect(await verdictOn(neighbour, '100.64.1.9')).toBe('deny by deployment-list')
  // a longer prefix of the file decides before a shorter one of the site
  await list(ofSite(site), '100.64.2.0/24', 'deny')
  expect(await verdictOn(site, '100.64.2.9')).toBe('dear')
  expect(await verdictOn(site, '100.64.2.10')).toBe('deny by site-list')
  expect(await verdictOn(site, 'unknown')).toBe(null)
  await removeNetwork(operator, DEPLOYMENT, { network: '100.64.1.0/24' })
})

test('changes of the deployment’s list reach another node at once', async () => {
  const site = await makeSite(app.ctx)
  const second = await openTestApp({ DATABASE_URL: app.databaseUrl })
  const deployment = () => networkLists(second.ctx).deployment.size
  try {
    await list(DEPLOYMENT, '192.0.2.0/24', 'deny')
    const denied = async () =>
      (await second.client.challenge(site, (await app.client.intent(site)).body['intent_id'], { address: '192.0.2.1' }))
        .status
    await expect.poll(denied).toBe(429)
    await changeNetwork(operator, DEPLOYMENT, { network: '192.0.2.0/24', verdict: 'allow', note: '' })
    await expect.poll(denied).toBe(200)
    expect(deployment()).toBe(1)
    await removeNetwork(operator, DEPLOYMENT, { network: '192.0.2.0/24' })
    await expect.poll(deployment).toBe(0)
  } finally {
    await second.close()
  }
})

test('a file with an error keeps the ranges that were loaded, and logs the line once', async () => {
  const site = await makeSite(app.ctx)
  await replaceFile('100.64.0.0/10 dear')
  expect(await verdictOn(site, '100.64.0.1')).toBe('dear')
  await replaceFile('100.64.0.0/10 allow\n100.64.0.0/10 forbid')
  await networkLists(app.ctx).readFile()
  expect(await verdictOn(site, '100.64.0.1')).toBe('dear')
  expect(networkLists(app.ctx).fileState).toMatchObject({ ranges: 1, error: { line: 2 } })
  const lines = app.logged.filter((line) => line.includes('NETWORKS_FILE was not loaded'))
  expect(lines).toHaveLength(1)
  expect(lines[0]).toContain('line 2: \\"forbid\\" is not a verdict')
  rmSync(path)
  await networkLists(app.ctx).readFile()
  expect(await verdictOn(site, '100.64.0.1')).toBe('dear')
  expect(networkLists(app.ctx).fileState?.error?.message).toContain('ENOENT')
  await replaceFile('100.64.0.0/10 allow')
  expect(await verdictOn(site, '100.64.0.1')).toBe('allow')
  expect(networkLists(app.ctx).fileState).toMatchObject({ ranges: 1, error: null })
})

test('a node notices a changed file by itself', async () => {
  const site = await makeSite(app.ctx)
  writeFileSync(path, `100.64.7.0/24 dear\n#${'.'.repeat(++version)}\n`)
  await expect.poll(() => verdictOn(site, '100.64.7.1'), { timeout: 20_000 }).toBe('dear')
}, 30_000)

test('staff find what the file says now, before the node reads it again', async () => {
  const lead = await makeStaff(app, 'lead')
  writeFileSync(path, `100.64.8.0/24 dear Hosting\n#${'.'.repeat(++version)}\n`)
  expect((await lead.query('staff.networks.find', { address: '100.64.8.1' })).data).toMatchObject([
    { list: 'file', network: '100.64.8.0/24', verdict: 'dear', note: 'Hosting', line: 1 },
  ])
})

test('finding says what the table in memory says', async () => {
  const site = await makeSite(app.ctx)
  const network = fc
    .tuple(
      fc.constantFrom('100.64.0.0', '100.64.1.0', '100.64.1.128', '100.72.0.0'),
      fc.constantFrom(10, 16, 24, 25, 32),
    )
    .map(([address, bits]) => `${address}/${bits}`)
  const verdict = fc.constantFrom(...VERDICTS)
  const lines = fc.array(fc.tuple(network, verdict), { minLength: 1, maxLength: 12 })
  for (const [common, own, inFile] of fc.sample(fc.tuple(lines, lines, lines), 15)) {
    await app.sql.query('delete from network_rule')
    for (const [owner, rules] of [[DEPLOYMENT, common] as const, [ofSite(site), own] as const])
      for (const [range, what] of rules) await list(owner, range, what).catch(() => {})
    await replaceFile(inFile.map((line) => line.join(' ')).join('\n'))
    await networkLists(app.ctx).readRules()
    for (const address of ['100.64.0.0', '100.64.1.1', '100.64.1.129', '100.72.9.9', '100.128.0.0']) {
      const [first] = await findNetworks(app.ctx, {
        address,
        site: ofSite(site).site,
        file: networkLists(app.ctx).fileEntries,
      })
      const expected =
        first?.verdict === 'deny'
          ? `deny by ${first.list === 'site' ? 'site' : 'deployment'}-list`
          : (first?.verdict ?? null)
      expect([address, await verdictOn(site, address)]).toEqual([address, expected])
    }
  }
  await app.sql.query('delete from network_rule')
})
