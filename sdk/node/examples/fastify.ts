// A checkout with Fastify: GET shows the form, POST takes it.
import {
  createNonce,
  hashSession,
  isResponseToken,
  renderScript,
  renderWidget,
  Tollgate,
  TollgateError,
} from '@tollgate/node'
import { type FastifyInstance, fastify } from 'fastify'
import { findAttempt, insertAttempt, placeOrder, readSession, writeSession } from './attempts.ts'

type Settings = { url: string; sitekey: string; secret: string; hostname: string; sessionKey: string }

export function createShop({ url, sitekey, secret, hostname, sessionKey }: Settings): FastifyInstance {
  const tollgate = new Tollgate({ url, sitekey, secret })
  const shop = fastify()

  // or @fastify/formbody
  shop.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  )

  shop.get('/checkout', async (request, reply) => {
    const session = readSession(request.headers.cookie) ?? createNonce()
    const attempt = insertAttempt(session, { action: 'checkout', hostname })
    const { action, nonce } = attempt
    const intent = await tollgate.createIntent({ action, hostname, nonce, session: hashSession(sessionKey, session) })
    attempt.intentId = intent.intentId
    return reply
      .header('set-cookie', writeSession(session))
      .type('text/html')
      .send(`<!doctype html>
      <form method="post">
        <input type="hidden" name="attempt" value="${attempt.id}">
        <input type="email" name="email" required>
        ${renderWidget({ url, sitekey, intentId: attempt.intentId })}
        <button>Order</button>
      </form>
      ${renderScript({ url })}`)
  })

  shop.post<{ Body: Record<string, string> }>('/checkout', async (request, reply) => {
    const { attempt: id, email, 'svc-captcha-response': token } = request.body
    const attempt = findAttempt(id, readSession(request.headers.cookie))
    if (!attempt) return reply.code(403).send('Please open the form again.')
    if (!attempt.frozen) {
      // what would be refused must not be frozen
      if (!email || !isResponseToken(token))
        return reply.code(422).send('Please fill in the form and finish the check.')
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
    return reply.send('Thank you for your order.')
  })

  shop.setErrorHandler((error, _request, reply) => {
    if (!(error instanceof TollgateError)) throw error
    console.error(error.message)
    // nothing was ordered, and nothing is lost: the same submission goes on where this one stopped
    if (error.retryable || error.status === 402) return reply.code(503).send('Please reload this page to try again.')
    // not verified: a fresh form
    if (error.status === 409) return reply.redirect('/checkout', 303)
    // misconfigured: no visitor can help it
    return reply.code(500).send('Something is wrong on our side.')
  })
  return shop
}
