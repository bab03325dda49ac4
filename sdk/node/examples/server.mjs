// server.mjs
import { randomUUID } from 'node:crypto'
import {
  createIdempotencyKey,
  createNonce,
  RefusedError,
  renderScript,
  renderWidget,
  Tollgate,
  TollgateError,
  testKeys,
  UnavailableError,
} from '@tollgate/node'
import express from 'express'

const url = 'http://localhost:3000'
const page = { action: 'signup', hostname: 'localhost' }
const { sitekey, secret } = testKeys.pass
const tollgate = new Tollgate({ url, sitekey, secret })
// one record per form, not per session; in your application, a table of your database
const attempts = new Map()
const app = express()

app.get('/', async (request, response) => {
  const attempt = {
    id: randomUUID(),
    nonce: createNonce(),
    idempotencyKey: createIdempotencyKey(),
  }
  attempts.set(attempt.id, attempt)
  const { intentId } = await tollgate.createIntent({ ...page, nonce: attempt.nonce })
  attempt.intentId = intentId
  response.set('Cache-Control', 'no-store').send(`<form method="post">
    <input type="hidden" name="attempt" value="${attempt.id}">
    ${renderWidget({ url, sitekey, intentId })}
    <button>Sign up</button>
  </form>
  ${renderScript({ url })}`)
})

app.post('/', express.urlencoded({ extended: false }), async (request, response) => {
  const { attempt: id, 'svc-captcha-response': token } = request.body ?? {}
  const attempt = attempts.get(id)
  if (!attempt?.intentId) return response.status(403).send('Please open the form again.')
  // the same form can arrive again, also twice at once
  if (attempt.done) return response.send('Welcome!')
  const { intentId, idempotencyKey } = attempt
  await tollgate.verify({ ...page, response: token, intentId, idempotencyKey })
  if (!attempt.done) {
    attempt.done = true
    // act here
  }
  response.send('Welcome!')
})

app.use((error, request, response, next) => {
  if (!(error instanceof TollgateError)) return next(error)
  // for you
  console.error(error.message, error.status ? `${url}/docs/errors#${error.code}` : '')
  // for the visitor
  if (error instanceof RefusedError) return response.status(409).send('Please <a href="/">open the form again</a>.')
  if (error instanceof UnavailableError)
    return response.status(503).send('Please <a href="/">try again</a> in a minute.')
  response.status(500).send('Something is wrong on our side.')
})

app.listen(4000, () => console.log('Open http://localhost:4000'))
