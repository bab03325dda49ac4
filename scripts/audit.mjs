// npm run audit: known vulnerabilities of what a deployment installs; see scripts/packages/audit.ts.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { install, root } from './bootstrap.mjs'

await install()
const program = [join(root, 'node_modules/tsx/dist/cli.mjs'), join(root, 'scripts/packages/audit.ts')]
const { status } = spawnSync(process.execPath, program, { stdio: 'inherit' })
process.exitCode = status ?? 1
