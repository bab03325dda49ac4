import { defineConfig } from '@playwright/test'
import tests from '../e2e/playwright.config.ts'
import type { PerWorker } from '../e2e/setup/test.ts'

/** The browser tests that take long, and those of `npm test` that have a longer form. */
export default defineConfig<object, PerWorker>(tests, {
  testDir: '..',
  projects: [
    { name: 'assurance', testMatch: 'assurance/**/*.spec.ts' },
    // with ALL_WIDTHS light and dark, at every width
    { name: 'all widths', testMatch: 'e2e/*.spec.ts', grep: /@accessible/ },
  ],
})
