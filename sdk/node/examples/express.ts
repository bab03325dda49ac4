// A checkout with Express and PostgreSQL. config.ts reads the settings. In a folder with the files beside this one:
//
//     npm init -y && npm pkg set type=module
//     npm install http://localhost:3000/sdk/tollgate-node-0.2.0.tgz express pg tsx
//     export TOLLGATE_URL=http://localhost:3000 TOLLGATE_SITEKEY=… TOLLGATE_SECRET=… SESSION_KEY=$(openssl rand -hex 32)
//     DATABASE_URL=postgresql://… npx tsx express.ts
//
// The form is at http://localhost:4000/checkout.
import express from 'express'
import { type Answer, renewCheckout, showCheckout, takeCheckout } from './checkout.ts'
import { port } from './config.ts'
import { createTables } from './tables.ts'

const shop = express().disable('x-powered-by')

const send = (response: express.Response, { status, headers, body }: Answer) =>
  void response.status(status).set(headers).send(body)

shop.get('/checkout', async (request, response) => {
  send(response, await showCheckout(request.headers.cookie))
})

shop.post('/checkout', express.urlencoded({ extended: false, limit: '16kb' }), async (request, response) => {
  send(response, await takeCheckout(request.headers.cookie, request.body ?? {}))
})

shop.post('/checkout/intent', express.json({ limit: '16kb' }), async (request, response) => {
  send(response, await renewCheckout(request.headers.cookie, request.body ?? {}))
})

// a body that cannot be read: Express's own page would quote it
const refuse: express.ErrorRequestHandler = (_error, _request, response, _next) => {
  response.status(400).send('This form cannot be read.')
}
shop.use(refuse)

await createTables()
const server = shop.listen(port, '127.0.0.1', () => {
  const address = server.address()
  console.log(`http://localhost:${typeof address === 'object' ? address?.port : port}/checkout`)
})
