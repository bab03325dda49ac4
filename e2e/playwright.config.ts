import { defineConfig } from '@playwright/test'
import type { PerWorker } from './setup/test.ts'

const browser = process.env['CHROMIUM']

/** Nothing here waits for a fixed time: the limits are for a machine that is slow and busy. */
export default defineConfig<object, PerWorker>({
  testDir: '.',
  testMatch: '*.spec.ts',
  outputDir: '../test-results',
  workers: 2,
  fullyParallel: true,
  forbidOnly: process.env['CI'] !== undefined,
  retries: 0,
  timeout: 120_000,
  expect: { timeout: 30_000 },
  use: {
    browserName: 'chromium',
    logLevel: process.env['LOG_LEVEL'] ?? 'info',
    trace: 'off',
    locale: 'en-GB',
    launchOptions: {
      ...(browser ? { executablePath: browser } : {}),
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
})
