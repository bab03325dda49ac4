import { defineConfig } from 'vitest/config'
import tests from '../vitest.config.ts'

/**
 * The tests that take minutes, or that need programs of Debian. Set up as those of `npm test`, but one more at a time: they wait for
 * programs, clusters and time-outs half of their time.
 */
export default defineConfig({
  ...tests,
  root: '.',
  test: { ...tests.test, include: ['assurance/**/*.test.ts'], maxWorkers: 4 },
})
