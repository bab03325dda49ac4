import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import type { Merchant, Settings } from '../adapter.ts'
import { createClient, type Verdict } from './client.ts'
import { formPage, messagePage } from './pages.ts'

/** A mistake of this merchant. */
export type Carelessness =
  | 'trusts-callback'
  | 'trusts-presence'
  | 'takes-expired'
  | 'takes-intent-of-form'
  | 'forgets-session'
  | 'takes-host-header'
  | 'new-key-per-try'
  | 'derives-key'
  | 'executes-twice'
  | 'answers-old-success'
  | 'overwrites-content'
  | 'fails-open'
  | 'takes-any-200'
  | 'says-nothing'
  | 'logs-form'
  | 'logs-secret'
  | 'logs-cookie'
  | 'token-in-address'
  | 'may-be-cached'

const ACTION = 'signup'
const TIMEOUT_MS = 5_000

type Attempt = {
  id: string
  session: string
  hostname: string
  nonce: string
  key: string
  intent: string
  frozen?: { email: string; token: string }
  done?: boolean
}

const random = () => randomBytes(24).toString('base64url')

/**
 * A small sign-up with its records in memory. Without `careless` it does everything right. It is minimal, so a real
 * merchant should start from the guide.
 */
export async function startMerchant(settings: Settings, careless?: Carelessness): Promise<Merchant> {
  const attempts = new Map<string, Attempt>()
  const client = createClient(settings, { timeout: TIMEOUT_MS, takesAny200: careless === 'takes-any-200' })
  let executed = 0
  let log = ''

  async function show(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const session = sessionOf(request) ?? random()
    const host = request.headers.host?.replace(/:\d+$/, '') ?? ''
    const hostname = careless === 'takes-host-header' ? host : settings.hostname
    const attempt: Attempt = { id: randomUUID(), session, hostname, nonce: random(), key: random(), intent: '' }
    attempts.set(attempt.id, attempt)
    const hashed = createHash('sha256').update(session).digest('hex')
    const opened = await client.open({ action: ACTION, hostname, nonce: attempt.nonce, session: hashed })
    if (opened === undefined) return send(response, 503, failure())
    attempt.intent = opened
    if (careless === 'derives-key') attempt.key = createHash('sha256').update(opened).digest('base64url')
    response.setHeader('set-cookie', `shop=${session}; Path=/; HttpOnly; SameSite=Lax`)
    send(response, 200, formPage(settings, { attempt: attempt.id, intent: opened }))
  }

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const form = new URLSearchParams(await text(request))
    if (careless === 'logs-form') log += `POST ${form.toString()}\n`
    if (careless === 'logs-cookie') log += `POST ${request.headers.cookie}\n`
    const attempt = attempts.get(form.get('attempt') ?? '')
    const isOwn = careless === 'forgets-session' || attempt?.session === sessionOf(request)
    if (!attempt || !isOwn) return send(response, 403, messagePage('This form belongs to another session.'))

    const email = form.get('email') ?? ''
    const token = form.get('svc-captcha-response') ?? ''
    if (careless === 'trusts-callback' && form.get('verified') === 'yes' && token === '') return act(attempt, response)
    if (!/^\S+@\S+$/.test(email) || !/^tgr_[\w-]{1,508}$/.test(token))
      return send(response, 422, messagePage('Please fill in the form and complete the check.'))
    if (careless === 'answers-old-success' && attempt.done) return thank(attempt, response)
    if (careless === 'overwrites-content' && !attempt.done) attempt.frozen = { email, token }
    attempt.frozen ??= { email, token }
    if (attempt.frozen.email !== email || attempt.frozen.token !== token)
      return send(response, 409, messagePage('This form was already sent with other content. Nothing was changed.'))
    if (attempt.done) return thank(attempt, response)

    const verdict = await redeem(attempt, form)
    log += `siteverify ${verdict.status}\n`
    if (careless === 'logs-secret' && verdict.status !== 200) log += `Authorization: Bearer ${settings.secret}\n`
    if (verdict.passed || goesOn(verdict)) return act(attempt, response)
    if (verdict.status === 409)
      return send(response, 409, messagePage('The check has expired. Please open the form again.'))
    send(response, verdict.status === 402 ? 402 : 503, failure())
  }

  function redeem(attempt: Attempt, form: URLSearchParams): Promise<Verdict> {
    const chosen = careless === 'takes-intent-of-form' ? form.get('intent_id') : null
    return client.redeem(() => ({
      response: attempt.frozen?.token ?? '',
      intent_id: chosen ?? attempt.intent,
      action: ACTION,
      hostname: attempt.hostname,
      idempotency_key: careless === 'new-key-per-try' ? random() : attempt.key,
    }))
  }

  /** Whether this merchant executes the action without a redeemed token. */
  function goesOn({ status, error }: Verdict): boolean {
    if (careless === 'trusts-presence') return status === 409
    if (careless === 'takes-expired') return error === 'intent-expired'
    return careless === 'fails-open' && status !== 409
  }

  function act(attempt: Attempt, response: ServerResponse): void {
    if (!attempt.done || careless === 'executes-twice') executed += 1
    attempt.done = true
    thank(attempt, response)
  }

  function thank(attempt: Attempt, response: ServerResponse): void {
    const query = careless === 'token-in-address' ? `?token=${attempt.frozen?.token}` : ''
    response.writeHead(303, { location: `/thanks${query}` }).end()
  }

  const failure = () =>
    careless === 'says-nothing'
      ? ''
      : messagePage('The check is not available now. Nothing was done. Please try again.')

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.setHeader('cache-control', careless === 'may-be-cached' ? 'public, max-age=60' : 'no-store')
    const path = request.url?.split('?')[0]
    if (path === '/thanks') send(response, 200, messagePage('Thank you. You are signed up.'))
    else if (path !== '/signup') send(response, 404, messagePage('There is no such page.'))
    else await (request.method === 'POST' ? take(request, response) : show(request, response))
  }

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : 0
  return {
    form: `http://localhost:${port}/signup`,
    fields: { email: 'ada@example.com' },
    changed: { email: 'grace@example.com' },
    executed: async () => executed,
    logs: async () => log,
    async stop() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

function sessionOf({ headers }: IncomingMessage): string | undefined {
  return /(?:^|;\s*)shop=([\w-]{32})(?:;|$)/.exec(headers.cookie ?? '')?.[1]
}

function send(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' }).end(body)
}
