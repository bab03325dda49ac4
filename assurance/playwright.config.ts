import { readdirSync, readFileSync } from 'node:fs'
import { defineConfig } from '@playwright/test'
import tests from '../e2e/playwright.config.ts'
import type { PerWorker } from '../e2e/setup/test.ts'

/** Tests that use a shop's pages run against the Python shop, too. Empty `PYTHON`: it is not available. */
const SHOP_PAGES = [
  'visitor-passes',
  'token-works-once',
  'forgery-buys-nothing',
  'quota-runs-out',
  'service-is-down',
  'returning-visitor',
  'widget-events',
  'pages-are-accessible',
].map((name) => `e2e/${name}.spec.ts`)

/** The tests that check the accessibility of pages: here light and dark, at every width, with ALL_WIDTHS. */
const ACCESSIBLE = readdirSync('e2e')
  .filter((file) => file.endsWith('.spec.ts') && readFileSync(`e2e/${file}`, 'utf8').includes('expectAccessible('))
  .map((file) => `e2e/${file}`)

/** The browser tests that take long, and those of `npm test` that have a longer form. */
export default defineConfig<object, PerWorker>(tests, {
  testDir: '..',
  projects: [
    { name: 'assurance', testMatch: 'assurance/**/*.spec.ts' },
    { name: 'all widths', testMatch: ACCESSIBLE },
    ...(process.env['PYTHON'] === ''
      ? []
      : [{ name: 'python', testMatch: SHOP_PAGES, use: { shop: 'python' as const } }]),
  ],
})
