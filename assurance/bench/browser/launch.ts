import { type Browser, chromium } from 'playwright-core'
import { ensureBrowser } from '../../../scripts/browser.mjs'

/** Starts Chromium for `measure`, and ends it. */
export async function withBrowser(measure: (browser: Browser) => Promise<void>): Promise<void> {
  const executablePath = await ensureBrowser()
  const browser = await chromium.launch({
    ...(executablePath ? { executablePath } : {}),
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  })
  try {
    await measure(browser)
  } finally {
    await browser.close()
  }
}
