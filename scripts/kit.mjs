// npm run accept, npm run conformance: the commands of sdk/kit/main.ts.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { buildSdks, install, root } from './bootstrap.mjs'
import { ensureBrowser } from './browser.mjs'
import { findPython } from './python.mjs'

const [command, ...args] = process.argv.slice(2)
const env = { ...process.env }
if (command === 'accept') {
  await install(['e2e'])
  // the adapters of this project's own shops need the Node SDK
  await buildSdks()
  env.PYTHON = findPython() ?? ''
  const browser = args.includes('--no-browser') || args.includes('--help') ? undefined : await ensureBrowser()
  if (browser) env.CHROMIUM = browser
} else {
  await install()
}
const program = [join(root, 'node_modules/tsx/dist/cli.mjs'), join(root, 'sdk/kit/main.ts'), command, ...args]
process.exitCode = spawnSync(process.execPath, program, { stdio: 'inherit', env }).status ?? 2
