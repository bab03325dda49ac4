// npm start: from a fresh clone to a running service.
import { bootstrap, pruneInstalled } from './bootstrap.mjs'

await bootstrap()
if (process.env.NODE_ENV === 'production') await pruneInstalled()
console.error('Starting …')
await import('../dist/server/main.js')
