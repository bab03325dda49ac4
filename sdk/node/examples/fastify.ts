// A checkout with Fastify and PostgreSQL. config.ts reads the settings. In a folder with the files beside this one:
//
//     npm init -y && npm pkg set type=module
//     npm install http://localhost:3000/sdk/tollgate-node-0.2.0.tgz fastify pg tsx
//     export TOLLGATE_URL=http://localhost:3000 TOLLGATE_SITEKEY=… TOLLGATE_SECRET=… SESSION_KEY=$(openssl rand -hex 32)
//     DATABASE_URL=postgresql://… npx tsx fastify.ts
//
// The form is at http://localhost:4000/checkout.
import { type FastifyReply, fastify } from 'fastify'
import { type Answer, renewCheckout, showCheckout, takeCheckout } from './checkout.ts'
import { port } from './config.ts'
import { createTables } from './tables.ts'

const shop = fastify({ bodyLimit: 16_384 })

// or @fastify/formbody
shop.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
  done(null, Object.fromEntries(new URLSearchParams(String(body)))),
)

const send = (reply: FastifyReply, { status, headers, body }: Answer) => reply.code(status).headers(headers).send(body)

shop.get('/checkout', async (request, reply) => send(reply, await showCheckout(request.headers.cookie)))

shop.post<{ Body: Record<string, string> }>('/checkout', async (request, reply) =>
  send(reply, await takeCheckout(request.headers.cookie, request.body)),
)

shop.post<{ Body: Record<string, unknown> }>('/checkout/intent', async (request, reply) =>
  send(reply, await renewCheckout(request.headers.cookie, request.body)),
)

await createTables()
const { port: taken } = new URL(await shop.listen({ port, host: '127.0.0.1' }))
console.log(`http://localhost:${taken}/checkout`)
