// Finds a Chromium for the browser tests, or installs one: Debian's package as root, else Playwright's own download.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { run, tool } from './bootstrap.mjs'

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
  const debian = process.getuid?.() === 0 && spawnSync('apt-get', ['--version']).status === 0
  if (debian) {
    console.error('Installing Chromium …')
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    await run('apt-get update', 'apt-get', ['update', '-qq'], { env })
    await run('Installing Chromium', 'apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium'], {
      env,
    })
    return installed()
  }
  await tool('Installing a browser', '@playwright/test/cli.js', ['install', 'chromium'])
  return undefined
}
