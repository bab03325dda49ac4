// Finds a Chromium for the browser tests, or installs one: Debian's package as root, else Playwright's own download.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { run, tool } from './bootstrap.mjs'

/** Debian's packages. The shell is the same engine without a user interface, and takes a quarter less of the processor. */
const PACKAGES = ['chromium', 'chromium-headless-shell']
const SHELL = '/usr/bin/chromium-headless-shell'
const PLACES = [
  process.env['CHROMIUM'],
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
    if (PACKAGES.every((name) => spawnSync('apt-cache', ['show', name]).status === 0)) {
      const install = ['install', '-y', '-qq', '--no-install-recommends', ...PACKAGES]
      await run('Installing Chromium', 'apt-get', install, { env })
      return installed()
    }
  }
  const options = isRoot && process.platform === 'linux' ? ['--with-deps'] : []
  await tool('Installing a browser', '@playwright/test/cli.js', ['install', ...options, 'chromium'])
  return undefined
}

/** Path of Debian's headless shell, which has no back/forward cache; undefined if it is not installed. */
export const findShell = () => (existsSync(SHELL) ? SHELL : undefined)
