// The checkout without a framework: the answers to GET and POST of /checkout, and to POST of /checkout/intent.
import { createNonce, hashSession, RefusedError, TollgateError, UnavailableError } from '@tollgate/node'
import { type Order, openForm, renewIntent, type Submitted, submitForm } from './attempts.ts'
import { sessionKey } from './config.ts'
import { type Draft, drawChanged, drawDone, drawForm, drawMessage, drawRetry } from './pages.ts'

/** An answer. `headers` contain Set-Cookie only if a session begins. */
export type Answer = { status: number; body: string; headers: Record<string, string> }

/** Pages with an intent, a token or an order must not be cached. */
const HEADERS = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' }

/** GET /checkout */
export async function showCheckout(cookies: string | null | undefined): Promise<Answer> {
  const known = readCookie(cookies)
  const cookie = known ?? createNonce()
  const answer = await safely(() => showForm(hashSession(sessionKey, cookie), { email: '', quantity: '1' }, 200))
  // behind TLS, add `Secure`
  const begin = `session=${cookie}; Path=/; HttpOnly; SameSite=Lax`
  return known === undefined ? { ...answer, headers: { ...answer.headers, 'set-cookie': begin } } : answer
}

/** POST /checkout, with the fields of the form. */
export async function takeCheckout(
  cookies: string | null | undefined,
  fields: Readonly<Record<string, unknown>>,
): Promise<Answer> {
  const cookie = readCookie(cookies)
  if (cookie === undefined) return drawForeign()
  return safely(() => takeForm(hashSession(sessionKey, cookie), fields))
}

/** POST /checkout/intent, with the fields of the JSON: another intent for an open form. */
export async function renewCheckout(
  cookies: string | null | undefined,
  fields: Readonly<Record<string, unknown>>,
): Promise<Answer> {
  const cookie = readCookie(cookies)
  return safely(async () => {
    const intentId = cookie && (await renewIntent(hashSession(sessionKey, cookie), fields['intent_id']))
    return intentId ? answerJson(200, { intent_id: intentId }) : answerJson(409, {})
  })
}

async function takeForm(session: string, fields: Readonly<Record<string, unknown>>): Promise<Answer> {
  const draft = { email: readText(fields['email']), quantity: readText(fields['quantity']) }
  const outcome = await submitForm(session, {
    attemptId: fields['attempt'],
    order: readOrder(draft),
    token: fields['svc-captcha-response'],
  })
  switch (outcome.kind) {
    case 'done':
      return answer(200, drawDone(outcome.submitted.order))
    case 'incomplete':
      return showForm(session, draft, 422, 'Please fill in every field and finish the check.')
    case 'changed':
      return answer(409, drawChanged(outcome))
    case 'foreign':
      return drawForeign()
    case 'refused':
      return explain(session, outcome.submitted, outcome.error)
  }
}

/** A field that was sent twice, or as a file, counts as empty. */
const readText = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Validates the visitor's own fields, before anything is frozen. */
function readOrder(draft: Draft): Order | undefined {
  const email = draft.email.trim().toLowerCase()
  const isValid = /^[^\s@\p{Cc}]{1,64}@[^\s@\p{Cc}]{1,180}$/u.test(email) && /^[1-9]$/.test(draft.quantity)
  return isValid ? { email, quantity: Number(draft.quantity) } : undefined
}

/** A fresh form: a new attempt with a new intent. */
async function showForm(session: string, draft: Draft, status: number, notice?: string): Promise<Answer> {
  return answer(status, drawForm(await openForm(session), draft, notice))
}

/** What the visitor sees of a refused submission. Nothing was ordered. */
async function explain(session: string, submitted: Submitted, error: TollgateError): Promise<Answer> {
  log(error)
  if (error instanceof UnavailableError) return drawWait(error, drawRetry(submitted))
  if (error instanceof RefusedError) {
    const { email, quantity } = submitted.order
    const notice = 'The check did not fit this form or has expired. Please send this fresh form.'
    return showForm(session, { email, quantity: String(quantity) }, 409, notice).catch((cause: unknown) => {
      // the new form cannot be opened, so offer the entered values again
      if (!(cause instanceof UnavailableError)) throw cause
      log(cause)
      return drawWait(cause, drawRetry(submitted))
    })
  }
  return answer(500, drawMessage('Something is wrong on our side. Nothing was ordered.'))
}

/** The same submission may go through later. It is repeated with the same values, so it cannot happen twice. */
function drawWait({ retryAfter = 10 }: UnavailableError, html: string): Answer {
  const { headers } = answer(503, html)
  return { status: 503, body: html, headers: { ...headers, 'retry-after': String(retryAfter) } }
}

const drawForeign = () => answer(403, drawMessage('This form belongs to another session. Please open it again.'))

/** Shows every failure as a page, never as a success. */
async function safely(work: () => Promise<Answer>): Promise<Answer> {
  try {
    return await work()
  } catch (error) {
    log(error)
    if (error instanceof UnavailableError) {
      return drawWait(error, drawMessage('We cannot take orders at the moment. Please try again.'))
    }
    return answer(500, drawMessage('Something is wrong on our side. Please try again later.'))
  }
}

/** A TollgateError names codes only. The messages of other errors can quote values, so they are not logged. */
function log(error: unknown): void {
  if (error instanceof TollgateError) console.error(`checkout: ${error.message}`)
  else console.error('checkout:', error instanceof Error ? error.name : typeof error, readCode(error))
}

const readCode = (error: unknown) =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

const answer = (status: number, html: string): Answer => ({ status, body: html, headers: HEADERS })
const answerJson = (status: number, fields: Record<string, string>): Answer => ({
  status,
  body: JSON.stringify(fields),
  headers: { ...HEADERS, 'content-type': 'application/json' },
})

const readCookie = (cookies: string | null | undefined) => /(?:^|; )session=([\w-]{43})(?:;|$)/.exec(cookies ?? '')?.[1]
