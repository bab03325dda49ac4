// npm run conformance: holds a deployment against the contract; see sdk/conformance/main.ts.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { install, root } from './bootstrap.mjs'

await install()
const args = [join(root, 'node_modules/tsx/dist/cli.mjs'), join(root, 'sdk/conformance/main.ts')]
const { status } = spawnSync(process.execPath, [...args, ...process.argv.slice(2)], { stdio: 'inherit' })
process.exitCode = status ?? 2
