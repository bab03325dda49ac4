/**
 * What a request costs without Tollgate: Fastify reads a JSON body and sends a JSON object of the same size. Or with Cap's server.
 *
 *   node --import tsx assurance/bench/load/bare.ts fastify|cap PORT
 */
import Fastify from 'fastify'
import { capServer } from './cap.ts'

const [kind, port] = process.argv.slice(2)

function bareServer() {
  const app = Fastify({ logger: false })
  app.post('/intents', ({ body }) => ({
    intent_id: Reflect.get(Object(body), 'nonce'),
    sitekey: 'tg_site_00000000000000000000000000000000000000',
    action: Reflect.get(Object(body), 'action'),
    hostname: Reflect.get(Object(body), 'hostname'),
    expires_at: 1_800_000_000,
  }))
  return app
}

await (kind === 'cap' ? capServer() : bareServer()).listen({ host: '127.0.0.1', port: Number(port) })
process.stdout.write('ready\n')
