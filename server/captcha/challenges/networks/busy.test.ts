import { expect, test } from 'vitest'
import { makeSite } from '../../../../test/support/make.ts'
import { testApp } from '../../../../test/support/testApp.ts'
import type { VisitorCtx } from '../../../accounts/access.ts'
import { newId } from '../../../kit/crypto/ids.ts'
import { ClientAddress } from '../../../kit/http/client.ts'
import { countSolved, hashedNetworks, readSignals } from '../difficulty/signals.ts'
import { visitorOf } from '../visitor.ts'
import { ownKey } from './busy.ts'
import { COUNTS } from './counts.ts'

/** A network that one tenant's page makes busy is not dear at others: see the threat table in SECURITY.md. */

const app = testApp()

const DAY = 24 * 3_600_000
const WHOLE = 1024 * 1024

/** A visitor of a tenant that is so many days old. */
function ofTenant(days: number): (address: string) => VisitorCtx {
  const site = { id: newId(), tenantId: newId(Date.now() - days * DAY), challengeKind: 'sha256', networks: undefined }
  return (address) =>
    ({
      ...app.ctx,
      site,
      visitor: visitorOf(app.ctx, { address: new ClientAddress(address), headers: {} }, site),
    }) as unknown as VisitorCtx
}

function solve(ctx: VisitorCtx, times: number, work = WHOLE): void {
  const now = ctx.clock.now()
  const networks = hashedNetworks(ctx).map(({ key }) => key)
  for (let i = 0; i < times; i++)
    countSolved(ctx, { intentId: newId(), issuedAt: now, networks, reasons: 0, span: 0, work }, now)
}

const doublingsAt = (ctx: VisitorCtx) => readSignals(ctx, hashedNetworks(ctx), null, ctx.clock.now()).network.doublings

// first: a network may do more the more all others do
test('all addresses of a hosting provider are one network', () => {
  const ctx = ofTenant(30)
  for (let i = 0; i < 40; i++) for (let j = 0; j < 5; j++) solve(ctx(`95.216.${i}.${j}`), 5)
  expect(doublingsAt(ctx('95.217.1.1'))).toBeGreaterThan(0)
  expect(
    readSignals(ctx('95.217.1.1'), hashedNetworks(ctx('95.217.1.1')), null, ctx('').clock.now()).network.tier,
  ).toBe(4)
  expect(doublingsAt(ctx('91.0.0.1'))).toBe(0)
})

test('a tenant’s own challenges raise the price of a network at the tenant, and never at another', () => {
  const [hostile, other] = [ofTenant(30), ofTenant(30)]
  solve(hostile('203.0.1.1'), 5000)
  expect([doublingsAt(hostile('203.0.1.1')), doublingsAt(other('203.0.1.1'))]).toEqual([3, 0])
})

test('what several tenants of age see raises its price everywhere; new tenants, easy challenges and test sites do not count', () => {
  const other = ofTenant(30)
  const see = (address: string, tenants: number, days: number, work = WHOLE) => {
    for (let i = 0; i < tenants; i++) solve(ofTenant(days)(address), 1000, work)
    return doublingsAt(other(address))
  }
  expect(see('203.0.2.1', 1, 30)).toBe(0)
  expect(see('203.0.3.1', 6, 30)).toBeGreaterThan(0)
  expect(see('203.0.4.1', 20, 1)).toBe(0)
  expect(see('203.0.5.1', 20, 30, 1024)).toBe(0)
  const test = { ...ofTenant(30)('203.0.6.1') } as unknown as { site: object }
  const ofTestKey = { ...test, site: { ...test.site, test: {} } } as unknown as VisitorCtx
  solve(ofTestKey, 5000)
  expect(doublingsAt(ofTestKey)).toBe(0)
})

test('a bot that spreads its challenges over many tenants is seen as a whole', () => {
  const other = ofTenant(30)
  for (let i = 0; i < 40; i++) solve(ofTenant(30)('203.0.7.1'), 20)
  expect(doublingsAt(other('203.0.7.1'))).toBeGreaterThan(1)
})

test('a wide network gets dearer challenges only if several of the smaller ones in it are busy', () => {
  const ctx = ofTenant(30)
  solve(ctx('203.0.114.1'), 20_000)
  solve(ctx('2001:db8:1:1::1'), 20_000)
  expect([
    doublingsAt(ctx('203.0.114.2')),
    doublingsAt(ctx('2001:db8:1:2::1')),
    doublingsAt(ctx('2001:db8:2::1')),
  ]).toEqual([0, 0, 0])
  for (let i = 10; i < 50; i++) solve(ctx(`203.0.114.${i}`), 60)
  expect(doublingsAt(ctx('203.0.114.2'))).toBeGreaterThan(0)
})

test('waiting in line raises nothing for the subject, and neither does asking again for the same intent', async () => {
  const site = await makeSite(app.ctx)
  const subject = '5c'.repeat(32)
  const address = '203.0.116.1'
  const visitor = { ...ofTenant(30)(address), site: { tenantId: site.tenantId } } as unknown as VisitorCtx
  for (const network of hashedNetworks(visitor))
    app.ctx.resources.of(COUNTS).of('unsolved').count(ownKey(visitor, network), app.ctx.clock.now(), 500)
  const waiting = (await app.client.intent(site, { subject })).body['intent_id']
  const polls = await Promise.all(Array.from({ length: 20 }, () => app.client.challenge(site, waiting, { address })))
  expect(polls.map(({ status }) => status)).toEqual(polls.map(() => 429))
  const intent = (await app.client.intent(site, { subject })).body['intent_id']
  const targets = []
  for (let i = 0; i < 10; i++) targets.push((await app.client.challenge(site, intent)).body['target'])
  expect(new Set(targets)).toEqual(new Set([2 ** 31]))
})

test('challenges that are asked for and left raise nothing', async () => {
  const site = await makeSite(app.ctx)
  const address = '203.0.115.1'
  for (let i = 0; i < 60; i++) {
    const { body } = await app.client.intent(site)
    await app.client.challenge(site, body['intent_id'], { address })
  }
  expect(doublingsAt(ofTenant(30)(address))).toBe(0)
  const earned = await app.client.challenge(site, (await app.client.intent(site)).body['intent_id'], { address })
  expect(earned.body['target']).toBe(2 ** 31)
})
