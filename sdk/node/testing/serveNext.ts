// Serves the example for Next.js on the port of its settings. Next.js calls a route handler with a Request and sends the
// Response; srvx does the same, without the 340 MB of an installed Next.js.
import { serve } from 'srvx'
import { port } from '../examples/config.ts'
import { GET, POST } from '../examples/next.ts'
import { POST as renew } from '../examples/nextIntent.ts'
import { createTables } from '../examples/tables.ts'

const handlers: Record<string, (request: Request) => Promise<Response>> = {
  'GET /checkout': GET,
  'POST /checkout': POST,
  'POST /checkout/intent': renew,
}

await createTables()
const server = serve({
  port,
  hostname: '127.0.0.1',
  silent: true,
  gracefulShutdown: false,
  fetch(request) {
    const handle = handlers[`${request.method} ${new URL(request.url).pathname}`]
    return handle ? handle(request) : new Response('not found', { status: 404 })
  },
})
await server.ready()
process.stdout.write(`http://localhost:${new URL(server.url ?? '').port}/checkout\n`)
