// npm run accept: drives a merchant's form through the six acceptance checks; see sdk/acceptance/main.ts.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { buildSdk, install, root } from './bootstrap.mjs'
import { ensureBrowser } from './browser.mjs'

await install(['e2e'])
// the adapters of this project's own shops need the Node SDK
await buildSdk()
const args = process.argv.slice(2)
const needsBrowser = !args.includes('--no-browser') && !args.includes('--help')
const browser = needsBrowser ? await ensureBrowser() : undefined
const program = [join(root, 'node_modules/tsx/dist/cli.mjs'), join(root, 'sdk/acceptance/main.ts')]
const env = { ...process.env, ...(browser ? { CHROMIUM: browser } : {}) }
const { status } = spawnSync(process.execPath, [...program, ...args], { stdio: 'inherit', env })
process.exitCode = status ?? 2
