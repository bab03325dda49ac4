// A checkout as route handlers of Next.js, or of whatever else answers a Request with a Response. app/checkout/route.ts:
//
//   import { createHandlers } from '…'
//   export const dynamic = 'force-dynamic'
//   export const { GET, POST } = createHandlers({ url: '…', sitekey: '…', … })
import {
  createNonce,
  hashSession,
  isResponseToken,
  renderScript,
  renderWidget,
  Tollgate,
  TollgateError,
} from '@tollgate/node'
import { findAttempt, insertAttempt, placeOrder, readSession, writeSession } from './attempts.ts'

type Settings = { url: string; sitekey: string; secret: string; hostname: string; sessionKey: string }
type Handler = (request: Request) => Promise<Response>

export function createHandlers(settings: Settings): { GET: Handler; POST: Handler } {
  const { url, sitekey, secret, hostname, sessionKey } = settings
  const tollgate = new Tollgate({ url, sitekey, secret })

  async function show(request: Request): Promise<Response> {
    const session = readSession(request.headers.get('cookie')) ?? createNonce()
    const attempt = insertAttempt(session, { action: 'checkout', hostname })
    const { action, nonce } = attempt
    const intent = await tollgate.createIntent({ action, hostname, nonce, session: hashSession(sessionKey, session) })
    attempt.intentId = intent.intentId
    const page = `<!doctype html>
      <form method="post">
        <input type="hidden" name="attempt" value="${attempt.id}">
        <input type="email" name="email" required>
        ${renderWidget({ url, sitekey, intentId: attempt.intentId })}
        <button>Order</button>
      </form>
      ${renderScript({ url })}`
    return new Response(page, { headers: { 'content-type': 'text/html', 'set-cookie': writeSession(session) } })
  }

  async function take(request: Request): Promise<Response> {
    const fields = await request.formData()
    const [email, token] = [fields.get('email'), fields.get('svc-captcha-response')]
    const attempt = findAttempt(fields.get('attempt'), readSession(request.headers.get('cookie')))
    if (!attempt) return new Response('Please open the form again.', { status: 403 })
    if (!attempt.frozen) {
      // what would be refused must not be frozen
      if (typeof email !== 'string' || !isResponseToken(token))
        return new Response('Please fill in the form and finish the check.', { status: 422 })
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
    return new Response('Thank you for your order.')
  }

  const explained =
    (handle: Handler): Handler =>
    async (request) => {
      try {
        return await handle(request)
      } catch (error) {
        if (!(error instanceof TollgateError)) throw error
        console.error(error.message)
        // nothing was ordered, and nothing is lost: the same submission goes on where this one stopped
        if (error.retryable || error.status === 402)
          return new Response('Please reload this page to try again.', { status: 503 })
        // not verified: a fresh form
        if (error.status === 409) return new Response(null, { status: 303, headers: { location: '/checkout' } })
        // misconfigured: no visitor can help it
        return new Response('Something is wrong on our side.', { status: 500 })
      }
    }

  return { GET: explained(show), POST: explained(take) }
}
