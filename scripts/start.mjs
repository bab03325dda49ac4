// npm start: from a fresh clone to a running service.
import { bootstrap } from './bootstrap.mjs'

await bootstrap()
console.error('Starting …')
await import('../dist/server/main.js')
