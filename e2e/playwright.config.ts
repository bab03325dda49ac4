import { defineConfig } from '@playwright/test'
import type { PerWorker } from './setup/test.ts'

/** The headless shell takes less of the processor than the whole browser; neither: Playwright's own shell is used. */
const browser = process.env['CHROMIUM_SHELL'] ?? process.env['CHROMIUM']

/** A visitor's browser: one that says that a program drives it gets challenges that take eight times as long. */
const VISITOR = {
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/146.0.0.0 Safari/537.36',
  extraHTTPHeaders: { 'sec-ch-ua': '"Chromium";v="146", "Not:A-Brand";v="8"' },
}

/** Nothing here waits for a fixed time: the limits are for a machine that is slow and busy. */
export default defineConfig<object, PerWorker>({
  testDir: '.',
  testMatch: '*.spec.ts',
  outputDir: '../test-results',
  workers: 3,
  fullyParallel: true,
  forbidOnly: process.env['CI'] !== undefined,
  // In CI, a test that other processes delayed may run a second time; it is reported as flaky, and three of these fail the run.
  retries: process.env['CI'] === undefined ? 0 : 1,
  timeout: 120_000,
  expect: { timeout: 30_000 },
  use: {
    browserName: 'chromium',
    logLevel: process.env['LOG_LEVEL'] ?? 'info',
    trace: 'off',
    locale: 'en-GB',
    ...VISITOR,
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
        // navigator.webdriver, which the component reports
        '--disable-blink-features=AutomationControlled',
      ],
    },
  },
})
