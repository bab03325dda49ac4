// npm start: from a fresh clone to a running service.
import { bootstrap } from './bootstrap.mjs'

bootstrap()
await import('../dist/server/main.js')
