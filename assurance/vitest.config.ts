import { defineConfig } from 'vitest/config'
import tests from '../vitest.config.ts'

/** The tests that take minutes, or that need programs of Debian. Set up as those of `npm test`. */
export default defineConfig({
  ...tests,
  root: '.',
  test: { ...tests.test, include: ['assurance/**/*.test.ts'], testTimeout: 300_000, hookTimeout: 300_000 },
})
