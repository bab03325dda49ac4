import { type Browser, chromium } from 'playwright-core'
import { ensureBrowser } from '../../scripts/browser.mjs'

/** Starts Chromium for a test without Playwright's runner: that of CHROMIUM, or the one that `npm test` has installed. */
export async function launchChromium(): Promise<Browser> {
  const executablePath = await ensureBrowser()
  return chromium.launch({ args: ['--no-sandbox', '--disable-gpu'], ...(executablePath && { executablePath }) })
}
