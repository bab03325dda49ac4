// Finds a Chromium for the browser tests, or installs one: Debian's package as root, else Playwright's own download. The
// headless shell is preferred: without a user interface the same engine takes a quarter less of the processor.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { run, tool } from './bootstrap.mjs'

const PACKAGE = 'chromium-headless-shell'
const PLACES = [
  process.env['CHROMIUM'],
  `/usr/bin/${PACKAGE}`,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

const installed = () => PLACES.find((place) => place && existsSync(place))

/** Path of a browser; undefined if Playwright's own is used. */
export async function ensureBrowser() {
  const found = installed()
  if (found) return found
  const isRoot = process.getuid?.() === 0
  if (isRoot && spawnSync('apt-get', ['--version']).status === 0) {
    console.error('Installing Chromium …')
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    await run('apt-get update', 'apt-get', ['update', '-qq'], { env })
    // Ubuntu has none
    if (spawnSync('apt-cache', ['show', PACKAGE]).status === 0) {
      await run('Installing Chromium', 'apt-get', ['install', '-y', '-qq', '--no-install-recommends', PACKAGE], { env })
      return installed()
    }
  }
  const options = ['--only-shell', ...(isRoot && process.platform === 'linux' ? ['--with-deps'] : [])]
  await tool('Installing a browser', '@playwright/test/cli.js', ['install', ...options, 'chromium'])
  return undefined
}
