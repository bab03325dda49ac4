// npm run dev: everything watched. The service restarts on a change; widget and console are built anew, reload the page.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { bootstrap, root } from './bootstrap.mjs'

await bootstrap()
/** @type {[tool: string, args: string[]][]} */
const watched = [
  ['tsx/dist/cli.mjs', ['watch', '--clear-screen=false', 'server/main.ts']],
  ['vite/bin/vite.js', ['build', '--watch', '--config', 'widget/vite.config.ts', '--logLevel', 'warn']],
  ['vite/bin/vite.js', ['build', '--watch', '--config', 'console/vite.config.ts', '--logLevel', 'warn']],
]
const children = watched.map(([tool, args]) =>
  spawn(process.execPath, [join(root, 'node_modules', tool), ...args], { cwd: root, stdio: 'inherit' }),
)
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => children.forEach((child) => child.kill(signal)))
await Promise.all(children.map((child) => new Promise((resolve) => child.on('exit', resolve))))
