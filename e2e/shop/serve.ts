import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { TollgateError } from '@tollgate/node'
import { forgetThisDevice, RECEIPT, showActivity, showReceipt, skipNextCheck, takeReport } from './aftercare.ts'
import type { Asset } from './assets.ts'
import { findProduct } from './catalogue.ts'
import { openForm, renewIntent, submitForm } from './checkout.ts'
import { DatabaseOutage } from './database.ts'
import type { Action, Fault, Payload } from './fields.ts'
import { drawForm } from './forms.ts'
import type { Page } from './layout.ts'
import { describeError } from './log.ts'
import { drawAdvice, drawChanged, drawForeign, drawHome, drawNotice, type Submitted } from './pages.ts'
import { adviseOn } from './refusals.ts'
import { isOwnForm, RequestFault, readForm, readHost, readIntent, readTarget } from './request.ts'
import { readSession, startSession } from './session.ts'
import type { Json, Route, Shop, Visit } from './visit.ts'

const routes: Readonly<Record<string, Route>> = {
  '/': { GET: drawHome },
  '/checkout': { GET: (visit) => showForm(visit, 'checkout'), POST: (visit) => takeForm(visit, 'checkout') },
  '/signup': { GET: (visit) => showForm(visit, 'signup'), POST: (visit) => takeForm(visit, 'signup') },
  '/renew': { POST: renewForm },
  '/activity': { GET: showActivity },
  '/exemptions': { POST: skipNextCheck },
  '/exemptions/forget': { POST: forgetThisDevice },
  '/reports': { POST: takeReport },
}

function findRoute(path: string): Route | undefined {
  return Object.hasOwn(routes, path) ? routes[path] : RECEIPT.test(path) ? { GET: showReceipt } : undefined
}

/** The shop as a listener for `node:http`. Every request gets a page, also when something breaks. */
export function serveShop(shop: Shop): RequestListener {
  const policy = securityHeaders(shop.tollgateUrl)

  return (request, response) => {
    for (const [name, value] of policy) response.setHeader(name, value)
    answer(shop, request)
      .catch((error: unknown) => explain(shop, error))
      .then((reply) => send(request, response, reply))
      .catch((error: unknown) => {
        shop.log('answer-failed', describeError(error))
        response.destroy()
      })
  }
}

async function answer(shop: Shop, request: IncomingMessage): Promise<Page | Json | Asset> {
  const { path, query } = readTarget(request.url)
  const host = readHost(request.headers.host)
  if (host.name !== shop.hostname) {
    // The intent is bound to the host name, so a form opened under another name could never be sent.
    const location = `//${shop.hostname}${host.port}${request.url}`
    return drawNotice(307, 'We are next door', `This shop answers at ${shop.hostname}.`, { location })
  }
  const asset = shop.assets.get(path)
  const route = findRoute(path)
  const method = request.method === 'HEAD' ? 'GET' : request.method
  if (asset && method === 'GET') return asset
  if (route === undefined && asset === undefined) {
    return drawNotice(404, 'Nothing on this shelf', 'There is no page at this address.')
  }
  const handle = method === 'GET' ? route?.GET : method === 'POST' ? route?.POST : undefined
  if (handle === undefined) {
    const allow = [...(asset || route?.GET ? ['GET, HEAD'] : []), ...(route?.POST ? ['POST'] : [])].join(', ')
    return drawNotice(405, 'Not like that', 'This page cannot be used in this way.', { allow })
  }
  if (method === 'POST' && !isOwnForm(request.headers)) return drawForeign()
  return handle({ shop, request, path, query, session: readSession(request.headers.cookie, shop.sessionKey) })
}

/** A fresh form: new attempt, new intent. */
async function showForm({ shop, query, session }: Visit, action: Action): Promise<Page> {
  const product = findProduct(query.get('product') ?? undefined)
  const typed = { quantity: '1', ...(product && { product: product.slug }) }
  const visitor = session === undefined ? startSession(shop.sessionKey) : { session, setCookie: undefined }
  const page = await openPage(shop, action, visitor.session, { typed, faults: [], notice: undefined, status: 200 })
  return visitor.setCookie === undefined
    ? page
    : { ...page, headers: { ...page.headers, 'set-cookie': visitor.setCookie } }
}

/** A submitted form, for the first time or again. */
async function takeForm({ shop, request, session }: Visit, action: Action): Promise<Page> {
  const submission = await submitForm(shop, action, session, await readForm(request))
  if (submission.kind === 'completed') {
    return drawNotice(303, 'Thank you', 'It is done.', { location: `/receipts/${submission.attempt}` })
  }
  if (session === undefined || submission.kind === 'foreign') {
    return drawForeign()
  }
  if (submission.kind === 'faulty') {
    const { typed, faults } = submission
    return openPage(shop, action, session, { typed, faults, notice: undefined, status: 422 })
  }
  if (submission.kind === 'changed') return drawChanged(action, submission, submission.isDone)
  const { frozen, refusal } = submission
  const advice = adviseOn(refusal, action)
  if (advice.next !== 'renew') return drawAdvice(advice, action, refusal.retryAfter, submission)
  const content = { typed: frozen.payload, faults: [], notice: advice.text, status: advice.status }
  return openPage(shop, action, session, content, submission)
}

/** Another intent for a form whose own has expired, as the component asks for it: what was typed stays in the page. */
async function renewForm({ shop, request, session }: Visit): Promise<Json> {
  const intentId = await readIntent(request)
  const renewed = session === undefined ? undefined : await renewIntent(shop, session, intentId)
  if (renewed === undefined) return { status: 409, json: { error: 'intent-expired' } }
  return renewed instanceof TollgateError
    ? { status: 503, json: { error: 'unavailable' } }
    : { status: 200, json: { intent_id: renewed.intentId } }
}

type Content = { typed: Payload; faults: readonly Fault[]; notice: string | undefined; status: number }

/** Opens a form and draws it, or says why it cannot be opened. `previous` is the submission that it would replace. */
async function openPage(
  shop: Shop,
  action: Action,
  session: string,
  content: Content,
  previous?: Submitted,
): Promise<Page> {
  const opening = await openForm(shop, action, session)
  if (opening.kind === 'refused') {
    return drawAdvice(adviseOn(opening.refusal, action), action, opening.refusal.retryAfter, previous)
  }
  return drawForm(action, { form: opening.form, sitekey: shop.sitekey, endpoint: shop.tollgateUrl, ...content })
}

function explain(shop: Shop, error: unknown): Page {
  if (error instanceof RequestFault) {
    const texts = {
      400: 'The request is malformed.',
      413: 'That is too long for us.',
      415: 'Only forms are taken here.',
    }
    return drawNotice(error.status, 'We couldn’t read that', texts[error.status], { connection: 'close' })
  }
  shop.log(error instanceof DatabaseOutage ? 'database-outage' : 'page-failed', describeError(error))
  if (error instanceof DatabaseOutage) {
    const text =
      'Our order book is out of reach. Reload this page in a moment: it goes on where it stopped, and nothing happens twice.'
    return drawNotice(503, 'Back in a moment', text, { 'retry-after': '5' })
  }
  return drawNotice(500, 'Something broke', 'The fault is ours. Please come back later.')
}

function send(request: IncomingMessage, response: ServerResponse, reply: Page | Json | Asset): void {
  const page = 'markup' in reply
  const { type, body } = page
    ? { type: 'text/html; charset=utf-8', body: reply.markup.toString() }
    : 'json' in reply
      ? { type: 'application/json', body: JSON.stringify(reply.json) }
      : reply
  response.statusCode = 'status' in reply ? reply.status : 200
  response.setHeader('content-type', type)
  response.setHeader('cache-control', 'status' in reply ? 'no-store' : 'public, max-age=300')
  response.setHeader('content-length', Buffer.byteLength(body))
  for (const [name, value] of Object.entries((page && reply.headers) || {})) response.setHeader(name, value)
  response.end(request.method === 'HEAD' ? undefined : body)
}

/** What an integrator's pages have to allow for the check: Tollgate's script, its API, and its solver in workers. */
function securityHeaders(tollgateUrl: string): readonly (readonly [string, string])[] {
  const { origin } = new URL(tollgateUrl)
  const policy = [
    `default-src 'none'`,
    // wasm-unsafe-eval intents WebAssembly, which the solver is made of, and no eval of scripts.
    `script-src 'self' ${origin} 'wasm-unsafe-eval'`,
    // 'self': the component asks this shop for another intent when one has expired.
    `connect-src 'self' ${origin}`,
    `worker-src blob: ${origin}`,
    `style-src 'self'`,
    `img-src 'self'`,
    `form-action 'self'`,
    `base-uri 'none'`,
    `frame-ancestors 'none'`,
  ]
  return [
    ['content-security-policy', policy.join('; ')],
    ['x-content-type-options', 'nosniff'],
    ['referrer-policy', 'same-origin'],
    ['cross-origin-opener-policy', 'same-origin'],
    ['cross-origin-resource-policy', 'same-origin'],
  ]
}
