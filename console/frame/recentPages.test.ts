import { expect, test } from 'vitest'
import { shortTitle } from './recentPages.ts'
import { remember } from './visits.ts'

test('a page that is visited again is the latest, and is there once', () => {
  const [sites, usage] = [
    { path: '/o/shop/sites', title: 'Sites' },
    { path: '/o/shop/usage', title: 'Usage' },
  ]
  expect(remember(remember(remember([], sites), usage), sites)).toEqual([sites, usage])
})

test('a title is shown without the tenant and the product, also if the page has the name of the tenant', () => {
  expect(shortTitle('Storefront · Keys · Shop · Tollgate', 'Shop')).toBe('Storefront · Keys')
  expect(shortTitle('Shop · Shop · Tollgate', 'Shop')).toBe('Shop')
})
