import { expect, test } from 'vitest'
import { makeSite } from '../../../test/support/make.ts'
import { testApp } from '../../../test/support/testApp.ts'
import { Resources } from '../../kit/context.ts'
import { newId } from '../../kit/crypto/ids.ts'
import { createKeyring } from '../../kit/crypto/keyring.ts'
import { isOwnId, newIntentId } from './id.ts'

const app = testApp()

test('the id of an intent is recognised for its site key only, and nobody can guess one', async () => {
  const [site, other] = [await makeSite(app.ctx), await makeSite(app.ctx)]
  const id = String((await app.client.intent(site)).body['intent_id'])
  expect([isOwnId(app.ctx, site.sitekey, id), isOwnId(app.ctx, other.sitekey, id)]).toEqual([true, false])
  const guesses = Array.from({ length: 2000 }, () => newId(app.ctx.clock.now()))
  expect(guesses.filter((guess) => isOwnId(app.ctx, site.sitekey, guess))).toEqual([])
  for (const wrong of ['', id.toUpperCase(), `${id}0`, id.slice(1)])
    expect([wrong, isOwnId(app.ctx, site.sitekey, wrong)]).toEqual([wrong, false])
})

test('an id is recognised for ten minutes, and not with another key', () => {
  const site = 'tg_site_00000000000000000000'
  let now = 1_800_000_000_000
  const node = (key: number) => {
    const keyring = createKeyring([{ id: 'k', key: Buffer.alloc(32, key) }])
    return { clock: { now: () => now, set: () => {} }, resources: new Resources(() => ({ keyring }) as never) }
  }
  const [one, same, other] = [node(1), node(1), node(2)]
  const id = newIntentId(one, site)
  expect([one, same, other].map((ctx) => isOwnId(ctx, site, id))).toEqual([true, true, false])
  now += 599_000
  expect(isOwnId(same, site, id)).toBe(true)
  now += 2000
  expect(isOwnId(same, site, id)).toBe(false)
})

test('ids stay in the order of their times, and 100,000 of a moment are all different', () => {
  let now = 1_800_000_000_000
  const keyring = createKeyring([{ id: 'k', key: Buffer.alloc(32) }])
  const ctx = { clock: { now: () => now, set: () => {} }, resources: new Resources(() => ({ keyring }) as never) }
  const ids = new Set(Array.from({ length: 100_000 }, () => newIntentId(ctx, 'tg_site_00000000000000000000')))
  expect(ids.size).toBe(100_000)
  now += 1
  const later = newIntentId(ctx, 'tg_site_00000000000000000000')
  expect([...ids].every((id) => id < later)).toBe(true)
})
