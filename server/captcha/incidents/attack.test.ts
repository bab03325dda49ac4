import { beforeAll, expect, test } from 'vitest'
import { askChallenge } from '../../../test/support/challenge.ts'
import { type MadeSite, makeSite } from '../../../test/support/make.ts'
import { type MadeMember, makeMember } from '../../../test/support/tenant.ts'
import { testApp } from '../../../test/support/testApp.ts'
import { unpackReasons } from '../challenges/difficulty/reasons.ts'
import { MAX_WORK } from '../challenges/difficulty/work.ts'

const app = testApp()
let site: MadeSite
let tenant: string
let admin: MadeMember
beforeAll(async () => {
  site = await makeSite(app.ctx, {
    policy: { networkLimit: 6000, actions: [{ action: 'login', baseWork: 1024, workMode: 'fixed' }] },
  })
  const found = await app.ctx.prisma.tenant.findUniqueOrThrow({ where: { id: site.tenantId } })
  tenant = found.slug
  admin = await makeMember(app, { id: site.tenantId }, 'admin')
})

/** The difficulty of a new challenge, and the mode in which it was set. */
async function challenge(action = 'checkout') {
  const { work, reasons } = (await askChallenge(app, site, { intent: { action } })).challenge
  return { work, mode: unpackReasons(reasons).mode }
}
const setAttackMode = (on: boolean) => admin.mutate('sites.setAttackMode', { tenant, site: site.siteId, on })

test('attack mode for an hour raises all actions at once, and ends by itself', async () => {
  expect(await challenge()).toEqual({ work: 64, mode: 'adaptive' })
  const { data } = await setAttackMode(true)
  const until = (data as { attackUntil: number }).attackUntil
  expect(Math.abs(until - Date.now() / 1000 - 3600)).toBeLessThan(60)
  expect(await challenge()).toEqual({ work: MAX_WORK, mode: 'attack' })
  expect(await challenge('login')).toEqual({ work: MAX_WORK, mode: 'attack' })

  await app.sql.query("update site set attack_until = now() - interval '1 second' where id = $1", [site.siteId])
  app.ctx.invalidations.publish(site.tenantId)
  expect(await challenge()).toEqual({ work: 64, mode: 'adaptive' })
  expect(await challenge('login')).toEqual({ work: 1024, mode: 'fixed' })
})

test('an admin can end it early, and both are in the audit log', async () => {
  await setAttackMode(true)
  expect((await challenge()).mode).toBe('attack')
  const { data } = await setAttackMode(false)
  expect(data).toMatchObject({ attackUntil: null })
  expect((await challenge()).mode).toBe('adaptive')
  const { rows } = await app.sql.query(
    "select action from audit_event where tenant_id = $1 and action like 'site.%attack_mode' order by seq desc limit 2",
    [site.tenantId],
  )
  expect(rows.map(({ action }) => action)).toEqual(['site.end_attack_mode', 'site.start_attack_mode'])
})
