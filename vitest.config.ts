import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{server,widget,console,e2e,sdk,scripts}/**/*.test.ts'],
    globalSetup: ['server/testing/cluster.ts'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // the machine's cores belong to PostgreSQL as well
    maxWorkers: 3,
  },
})
