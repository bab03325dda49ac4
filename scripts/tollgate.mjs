// npm run tollgate: provisioning from the shell.
import { bootstrap } from './bootstrap.mjs'

await bootstrap()
await import('../dist/server/cli.js')
