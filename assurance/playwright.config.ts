import { readdirSync, readFileSync } from 'node:fs'
import { defineConfig } from '@playwright/test'
import tests from '../e2e/playwright.config.ts'
import type { PerWorker } from '../e2e/setup/test.ts'

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
  ],
})
