import { createHash, createHmac, randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Adapter, Merchant, Settings } from '../adapter.ts'
import { createClient, type Verdict } from './client.ts'
import { escape, formPage, messagePage } from './pages.ts'

const ACTION = 'signup'
const RACE_MS = 150
const LATER_MS = 8_000

type Content = { email: string; name: string; token: string }

type Attempt = {
  id: string
  session: string
  hostname: string
  nonce: string
  key: string
  intent: string
  frozen?: Content | undefined
  /** Answers 503 of /siteverify. */
  outages: number
  done?: boolean
}

const random = () => randomBytes(24).toString('base64url')

/**
 * A small sign-up with its records in memory. Without `careless` it does everything right. It is minimal, so a real
 * merchant should start from the examples. `careless` names a mistake; a name that it does not know is none, and not caught.
 */
export async function startMerchant(settings: Settings, careless?: string): Promise<Merchant> {
  const attempts = new Map<string, Attempt>()
  const client = createClient(settings, careless)
  let executed = 0
  let log = ''

  const drawKey = (nonce: string): string => {
    if (careless === 'key-from-nonce') return createHmac('sha256', settings.secret).update(nonce).digest('hex')
    if (careless === 'predictable-key') return `order-key-${Date.now()}-${attempts.size}`
    return random()
  }

  async function show(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const session = sessionOf(request) ?? random()
    const hostname = careless === 'takes-host-header' ? hostOf(request) : settings.hostname
    const nonce = random()
    const attempt: Attempt = { id: randomUUID(), session, hostname, nonce, key: drawKey(nonce), intent: '', outages: 0 }
    const shared = [...attempts.values()].find((each) => each.session === session && each.intent !== '')
    attempts.set(attempt.id, attempt)
    const hashed = createHash('sha256').update(session).digest('hex')
    const isShared = careless === 'one-intent-per-visitor' && shared
    const opened = isShared
      ? shared.intent
      : await client.open(() => {
          if (careless === 'new-nonce-per-try') attempt.nonce = random()
          return { action: ACTION, hostname, nonce: attempt.nonce, session: hashed }
        })
    if (opened === undefined && careless !== 'shows-form-anyway') return send(response, 503, failure())
    attempt.intent = opened ?? randomUUID()
    if (careless === 'key-from-intent') attempt.key = createHash('sha256').update(attempt.intent).digest('base64url')
    response.setHeader('set-cookie', `shop=${session}; Path=/; HttpOnly; SameSite=Lax`)
    const hidden = {
      attempt: attempt.id,
      verified: '',
      ...(careless === 'key-in-page' && { key: attempt.key }),
      ...(careless === 'secret-in-page' && { secret: settings.secret }),
    }
    send(response, 200, formPage(settings, attempt.intent, hidden))
  }

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const form = new URLSearchParams(await text(request))
    const token = form.get('svc-captcha-response') ?? ''
    if (careless === 'logs-form') log += `POST ${form.toString()}\n`
    if (careless === 'logs-part-of-token') log += `POST ${token.slice(0, 60)}\n`
    if (careless === 'logs-token-in-base64') log += `POST ${Buffer.from(`token=${token}`).toString('base64')}\n`
    if (careless === 'logs-cookie') log += `POST ${request.headers.cookie}\n`
    if (careless === 'logs-part-of-cookie') log += `POST ${sessionOf(request)?.slice(0, 20)}\n`
    const attempt = attempts.get(form.get('attempt') ?? '')
    const isOwn = careless === 'forgets-session' || attempt?.session === sessionOf(request)
    if (!attempt || !isOwn) return send(response, 403, messagePage('This form belongs to another session.'))

    const sent = { email: form.get('email') ?? '', name: form.get('name') ?? '', token }
    if (careless === 'trusts-callback' && form.get('verified') === 'yes' && token === '') return act(attempt, response)
    const isToken = /^tgr_[\w-]{1,508}$/.test(token)
    if (careless === 'needs-no-token' && !isToken) return act(attempt, response)
    if (!/^[^\s<@]+@\S+$/.test(sent.email) || sent.name === '' || !(isToken || careless === 'asks-without-token')) {
      const shown = careless === 'shows-typed-html' ? sent.email : escape(sent.email)
      return send(response, 422, messagePage(`Please correct the form and complete the check. You typed: ${shown}`))
    }
    if (careless === 'answers-old-success' && attempt.done) return thank(attempt, response)
    if (careless === 'overwrites-content' && !attempt.done) attempt.frozen = sent
    attempt.frozen ??= sent
    if (!isSame(attempt, sent))
      return send(response, 409, messagePage('This form was already sent with other content. Nothing was changed.'))
    if (attempt.done && careless !== 'executes-twice') return thank(attempt, response)

    if (careless === 'acts-before-verifying') executed += 1
    if (careless === 'new-key-per-submission') attempt.key = random()
    const verdict = await redeem(attempt, { form, hostname: hostOf(request) })
    log += `siteverify ${verdict.status}\n`
    if (careless === 'acts-before-verifying') executed -= 1
    if (careless === 'logs-secret' && verdict.status !== 200) log += `Authorization: Bearer ${settings.secret}\n`
    if (verdict.status === 503) attempt.outages += 1
    if (verdict.passed || goesOn(verdict, attempt)) return act(attempt, response)
    if (careless === 'unfreezes-after-failure') attempt.frozen = undefined
    if (verdict.status === 409)
      return send(response, 409, messagePage('The check has expired. Please open the form again.'))
    send(response, verdict.status === 402 ? 402 : 503, failure())
  }

  /** Whether the submission is the frozen one. */
  function isSame({ frozen, done }: Attempt, sent: Content): boolean {
    if (careless === 'executes-sent-content' && !done) return frozen?.token === sent.token
    const isToken = careless === 'takes-other-token' || frozen?.token === sent.token
    const isName = careless === 'compares-email-only' || frozen?.name === sent.name
    return isToken && isName && frozen?.email === sent.email
  }

  function redeem(attempt: Attempt, { form, hostname }: { form: URLSearchParams; hostname: string }): Promise<Verdict> {
    const intent = careless === 'takes-intent-of-form' ? form.get('intent_id') : null
    const key = careless === 'takes-parameters-of-form' ? form.get('idempotency_key') : null
    return client.redeem(() => ({
      response: attempt.frozen?.token ?? '',
      intent_id: intent ?? attempt.intent,
      action: ACTION,
      hostname: careless === 'redeems-with-host-header' ? hostname : attempt.hostname,
      idempotency_key: careless === 'new-key-per-try' ? random() : (key ?? attempt.key),
    }))
  }

  /** Whether this merchant executes the action without a redeemed token. */
  function goesOn({ status, error }: Verdict, { outages }: Attempt): boolean {
    if (careless === 'trusts-presence') return status === 409
    if (careless === 'takes-expired') return error === 'intent-expired'
    if (careless === 'takes-redeemed') return error === 'already-redeemed'
    if (careless === 'acts-on-401') return status === 401
    if (careless === 'opens-at-second-503') return status === 503 && outages > 1
    if (careless === 'takes-timeout') return status === 0
    return careless === 'fails-open' && status !== 409
  }

  async function act(attempt: Attempt, response: ServerResponse): Promise<void> {
    const isDone = attempt.done
    if (careless === 'checks-then-acts') await sleep(RACE_MS)
    const isFirst = careless === 'checks-then-acts' ? !isDone : !attempt.done
    if ((isFirst && careless !== 'never-acts') || careless === 'executes-twice') executed += 1
    if (isFirst && careless === 'acts-again-later') setTimeout(() => (executed += 1), LATER_MS).unref()
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
    fields: { email: 'ada@example.com', name: 'Ada' },
    changed: { email: 'grace@example.com', name: 'Grace' },
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

/** For the tests of the command. */
export default { name: 'a careful merchant', start: (settings) => startMerchant(settings) } satisfies Adapter

const hostOf = ({ headers }: IncomingMessage): string => headers.host?.replace(/:\d+$/, '') ?? ''

function sessionOf({ headers }: IncomingMessage): string | undefined {
  return /(?:^|;\s*)shop=([\w-]{32})(?:;|$)/.exec(headers.cookie ?? '')?.[1]
}

function send(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' }).end(body)
}
