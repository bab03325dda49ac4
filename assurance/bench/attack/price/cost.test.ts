import { expect, test } from 'vitest'
import { SHA256_PER_HASH } from '../../../../server/captcha/challenges/kinds/powHashwx.ts'
import { FALLBACK_TIMES } from '../../../../server/contract/sitePolicy.ts'
import { cheapestOf, costOf, readPrices, waysOf } from './cost.ts'

const prices = readPrices()

test('SHA-256 beyond the budget costs as much as HashWX in its dearest way on a server, and a slow phone no longer', () => {
  const dearest = waysOf(prices, 'hashwx').findLast(({ on }) => on === 'server')
  const ratio = costOf(dearest ?? cheapestOf(prices, 'hashwx'), 1) / costOf(cheapestOf(prices, 'sha256'), 1)
  expect(FALLBACK_TIMES).toBe(Math.ceil(ratio))
})

test('one hash of HashWX counts as many of SHA-256 as in the table, and no browser of it waits longer for HashWX', () => {
  expect(prices.sha256PerHash).toBe(SHA256_PER_HASH)
  const rate = (kind: string) => prices.rates.find((one) => one.kind === kind && one.way === 'browser')?.megahashes ?? 0
  expect(rate('sha256') / rate('hashwx')).toBeLessThanOrEqual(SHA256_PER_HASH)
})

test('a graphics card is the cheapest way for SHA-256, and a processor for HashWX', () => {
  expect([cheapestOf(prices, 'sha256').on, cheapestOf(prices, 'hashwx').on]).toEqual(['gpu', 'server'])
})

test('each rate and price has a date and a source', () => {
  for (const { date, source } of [...prices.rates, ...prices.compute.gpus, prices.compute.server, prices.people])
    expect([date, source]).toEqual([expect.stringMatching(/^\d{4}-\d\d-\d\d$/), expect.stringMatching(/.{10}/)])
})
