/**
 * What a request costs without Tollgate: a JSON body is read, and a JSON object of the same size is sent back. Or with Cap.
 *
 *   node --import tsx assurance/bench/load/bare.ts http|fastify|cap PORT
 */
import { createServer } from 'node:http'
import Fastify from 'fastify'
import { capServer } from './cap.ts'

const [kind, port] = process.argv.slice(2)
const reply = (body: unknown) => ({
  intent_id: Reflect.get(Object(body), 'nonce'),
  sitekey: 'tg_site_00000000000000000000000000000000000000',
  action: Reflect.get(Object(body), 'action'),
  hostname: Reflect.get(Object(body), 'hostname'),
  expires_at: 1_800_000_000,
})

if (kind === 'fastify') {
  const app = Fastify({ logger: false })
  app.post('/intents', (request) => reply(request.body))
  await app.listen({ host: '127.0.0.1', port: Number(port) })
} else if (kind === 'cap') {
  await capServer().listen({ host: '127.0.0.1', port: Number(port) })
} else {
  // idle connections live as long as Fastify's
  const server = createServer({ keepAliveTimeout: 72_000 }, (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const text = JSON.stringify(reply(JSON.parse(Buffer.concat(chunks).toString())))
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
      response.end(text)
    })
  })
  await new Promise<void>((listening) => server.listen(Number(port), '127.0.0.1', listening))
}
process.stdout.write('ready\n')
