// A checkout with Express: GET shows the form, POST takes it.
import {
  createNonce,
  hashSession,
  isResponseToken,
  renderScript,
  renderWidget,
  Tollgate,
  TollgateError,
} from '@tollgate/node'
import express from 'express'
import { findAttempt, insertAttempt, placeOrder, readSession, writeSession } from './attempts.ts'

type Settings = { url: string; sitekey: string; secret: string; hostname: string; sessionKey: string }

export function createShop({ url, sitekey, secret, hostname, sessionKey }: Settings): express.Express {
  const tollgate = new Tollgate({ url, sitekey, secret })
  const shop = express()

  shop.get('/checkout', async (request, response) => {
    const session = readSession(request.headers.cookie) ?? createNonce()
    const attempt = insertAttempt(session, { action: 'checkout', hostname })
    const { action, nonce } = attempt
    const intent = await tollgate.createIntent({ action, hostname, nonce, session: hashSession(sessionKey, session) })
    attempt.intentId = intent.intentId
    response.set('Set-Cookie', writeSession(session)).send(`<!doctype html>
      <form method="post">
        <input type="hidden" name="attempt" value="${attempt.id}">
        <input type="email" name="email" required>
        ${renderWidget({ url, sitekey, intentId: attempt.intentId })}
        <button>Order</button>
      </form>
      ${renderScript({ url })}`)
  })

  shop.post('/checkout', express.urlencoded({ extended: false }), async (request, response) => {
    const fields: Record<string, unknown> = request.body ?? {}
    const { attempt: id, email, 'svc-captcha-response': token } = fields
    const attempt = findAttempt(id, readSession(request.headers.cookie))
    if (!attempt) return void response.status(403).send('Please open the form again.')
    if (!attempt.frozen) {
      // what would be refused must not be frozen
      if (typeof email !== 'string' || !isResponseToken(token))
        return void response.status(422).send('Please fill in the form and finish the check.')
      attempt.frozen = { email, response: token }
    }
    if (!attempt.decisionId) {
      const { action, hostname, intentId, idempotencyKey, frozen } = attempt
      const { decisionId } = await tollgate.verify({
        response: frozen.response,
        intentId,
        action,
        hostname,
        idempotencyKey,
      })
      placeOrder(attempt, decisionId)
    }
    response.send('Thank you for your order.')
  })

  const explain: express.ErrorRequestHandler = (error, _request, response, next) => {
    if (!(error instanceof TollgateError)) return next(error)
    console.error(error.message)
    // nothing was ordered, and nothing is lost: the same submission goes on where this one stopped
    if (error.retryable || error.status === 402) response.status(503).send('Please reload this page to try again.')
    // not verified: a fresh form
    else if (error.status === 409) response.redirect(303, '/checkout')
    // misconfigured: no visitor can help it
    else response.status(500).send('Something is wrong on our side.')
  }
  shop.use(explain)
  return shop
}
