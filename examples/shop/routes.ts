import { randomBytes } from 'node:crypto'
import { hashSession, type Outcome, renderScript, renderWidget, TollgateError } from '@tollgate/node'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { fileReport, findSale, forgetDevice, listActivity, takeExemption } from './aftercare.ts'
import { openForm, renewIntent, type Submitted, submitForm } from './attempts.ts'
import { type Shop, sessionOf } from './context.ts'
import { ACTIONS, type Action, findProduct, readOne, UUID } from './fields.ts'
import { Html } from './html.ts'
import * as pages from './pages.ts'
import { adviseOn, logRefusal, noticeOf } from './refusals.ts'

const NOSCRIPT = 'To keep robots out, your browser does a short calculation here. Please switch on JavaScript.'

export function addRoutes(app: FastifyInstance, shop: Shop): void {
  app.get('/', (_, reply) => reply.send(pages.drawHome()))
  app.post('/renew', (request, reply) => renew(shop, request, reply))
  app.register(async (forms) => {
    forms.removeAllContentTypeParsers()
    forms.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_, body, done) =>
      done(null, new URLSearchParams(String(body))),
    )
    for (const action of ACTIONS) addForm(forms, shop, action)
    addAftercare(forms, shop)
  })
}

const formOf = ({ body }: FastifyRequest) => (body instanceof URLSearchParams ? body : new URLSearchParams())

/** The component requests another intent here when the form's own has expired. */
async function renew(shop: Shop, request: FastifyRequest, reply: FastifyReply) {
  reply.type('application/json')
  const id = (request.body as { intent_id?: unknown } | null)?.intent_id
  if (typeof id !== 'string' || !UUID.test(id)) return reply.code(400).send({ error: 'bad-request' })
  const session = sessionOf(shop, request)
  const intentId = session && (await renewIntent(shop, session, id).catch(asRefusal))
  if (intentId === undefined) return reply.code(409).send({ error: 'intent-expired' })
  if (typeof intentId === 'string') return { intent_id: intentId }
  logRefusal(shop.log, intentId, { action: 'renew' })
  return reply.code(503).send({ error: 'unavailable' })
}

function addForm(app: FastifyInstance, shop: Shop, action: Action): void {
  app.get<{ Querystring: { product?: string } }>(`/${action}`, async (request, reply) => {
    const typed = { product: findProduct(request.query.product)?.slug ?? '', quantity: '1' }
    const session = sessionOf(shop, request) ?? startSession(shop, reply)
    return show(shop, reply, action, session, { typed, faults: {}, notice: '' })
  })

  app.post(`/${action}`, async (request, reply) => {
    const session = sessionOf(shop, request)
    const submission = session && (await submitForm(shop, action, session, formOf(request)))
    if (!submission) return reply.code(403).send(pages.drawForeign())
    const { kind } = submission
    if (kind === 'completed') return reply.redirect(`/receipts/${submission.attempt}`, 303)
    if (kind === 'faulty') {
      const { payload, faults } = submission
      return show(shop, reply.code(422), action, session, { typed: payload, faults, notice: '' })
    }
    const { submitted } = submission
    if (kind === 'changed') return reply.code(409).send(pages.drawChanged(action, submitted, submission.isDone))
    const { next, status, text } = adviseOn(submission.error, action)
    if (next !== 'renew') return advise(reply, action, submission.error, submitted)
    const view = { typed: submitted.payload, faults: {}, notice: text }
    return show(shop, reply.code(status), action, session, view, submitted)
  })
}

function startSession({ sessionKey }: Shop, reply: FastifyReply): string {
  const value = randomBytes(32).toString('base64url')
  // behind TLS, name it __Host-pennywheel and add Secure
  reply.header('set-cookie', `pennywheel=${value}; Path=/; HttpOnly; SameSite=Lax`)
  return hashSession(sessionKey, value)
}

/** Opens a form and shows it, or says why it cannot be opened. `replaced` is the submission whose form it replaces. */
async function show(
  shop: Shop,
  reply: FastifyReply,
  action: Action,
  session: string,
  view: pages.FormView,
  replaced?: Submitted,
) {
  const form = await openForm(shop, action, session).catch(asRefusal)
  if (form instanceof TollgateError) return advise(reply, action, form, replaced)
  const { sitekey, tollgateUrl: url } = shop
  const widget = renderWidget({ url, sitekey, intentId: form.intentId, renew: '/renew', noscript: NOSCRIPT })
  return reply.send(pages.drawForm(action, form.attempt, new Html(widget + renderScript({ url })), view))
}

function advise(reply: FastifyReply, action: Action, error: TollgateError, submitted?: Submitted) {
  const advice = adviseOn(error, action)
  if (advice.retryAfter !== undefined) reply.header('retry-after', advice.retryAfter)
  return reply.code(advice.status).send(pages.drawAdvice(advice, action, submitted))
}

function addAftercare(app: FastifyInstance, shop: Shop): void {
  const find = (request: FastifyRequest, id: string) => findSale(shop, id, sessionOf(shop, request))

  app.get<{ Params: { id: string } }>('/receipts/:id', async (request, reply) => {
    const sale = await find(request, request.params.id)
    return sale ? reply.send(pages.drawReceipt(sale)) : reply.callNotFound()
  })

  app.get('/activity', async (request) => pages.drawActivity(await listActivity(shop, sessionOf(shop, request))))

  app.post('/exemptions', async (request, reply) => {
    const sale = await find(request, readOne(formOf(request), 'attempt'))
    if (!sale) return reply.code(403).send(pages.drawForeign())
    const refusal = await takeExemption(shop, sale).catch(asRefusal)
    if (!refusal) return reply.redirect(`/receipts/${sale.id}`, 303)
    logRefusal(shop.log, refusal, { attempt: sale.id, action: 'grant' })
    const { status, text } = noticeOf(
      refusal,
      'We couldn’t arrange that just now. Try again, or do the check next time.',
    )
    return reply.code(status).send(pages.drawReceipt(sale, text))
  })

  app.post('/exemptions/forget', async (request, reply) => {
    const session = sessionOf(shop, request)
    if (session === undefined) return reply.code(403).send(pages.drawForeign())
    const revoked = await forgetDevice(shop, session).catch(asRefusal)
    const lines = await listActivity(shop, session)
    if (revoked instanceof TollgateError) {
      logRefusal(shop.log, revoked, { action: 'revoke' })
      const { status, text } = noticeOf(revoked, 'We forgot this device, but Tollgate has not yet. Please try again.')
      return reply.code(status).send(pages.drawActivity(lines, text))
    }
    const count = revoked === 1 ? '1 exemption was' : `${revoked} exemptions were`
    return pages.drawActivity(lines, `This device is forgotten: ${count} revoked.`)
  })

  app.post('/reports', async (request, reply) => {
    const sale = await find(request, readOne(formOf(request), 'attempt'))
    const outcome = readOne(formOf(request), 'outcome')
    if (!sale || !isOutcome(outcome)) return reply.code(403).send(pages.drawForeign())
    const refusal = await fileReport(shop, sale, outcome).catch(asRefusal)
    if (!refusal) return reply.redirect('/activity', 303)
    logRefusal(shop.log, refusal, { attempt: sale.id, action: 'feedback' })
    const { status, text } = noticeOf(refusal, 'The report was not delivered. It is stored; please send it again.')
    return reply.code(status).send(pages.drawActivity(await listActivity(shop, sale.session), text))
  })
}

const isOutcome = (value: string): value is Outcome => ['confirmed_abuse', 'legitimate', 'unknown'].includes(value)

/** For `catch`: gives a refusal of Tollgate as a value; any other error goes on. */
function asRefusal(error: unknown): TollgateError {
  if (error instanceof TollgateError) return error
  throw error
}
