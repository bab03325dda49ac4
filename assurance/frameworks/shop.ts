import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { extname } from 'node:path'
import { buffer } from 'node:stream/consumers'
import type { Trial } from '../../e2e/setup/trial.ts'
import { listen } from '../../sdk/testing/listen.ts'

/** What a page is rendered with: a new attempt, with a new intent. It is also `window.site`. */
export type Site = { endpoint: string; sitekey: string; intent: string; attempt: string }

export type ShopOptions = {
  /** Scripts of the head, before widget.js: files below node_modules. */
  scripts?: string[]
  /** A bundled application, which is loaded at the end of the body. */
  app?: string
  /** More of the head. */
  head?: string
  /** The pages by their paths; `/` is the form unless it is given. */
  pages?: Record<string, (site: Site) => string>
  /** The form, in pages and in the answer to a comment that is refused. */
  form?: (site: Site) => string
}

export type SignUp = { comment: string /** What /siteverify says of its token. */; status: number }

export type Shop = {
  url: string
  /** Each sign-up that has arrived. */
  signUps: SignUp[]
  close(): Promise<void>
}

/** A comment that the shop refuses before it redeems the token. */
export const REFUSED = 'refused'

const TYPES: Readonly<Record<string, string>> = { '.js': 'text/javascript', '.mjs': 'text/javascript' }
const WELCOME = '<h1>Welcome</h1>'

/** Sends the form of a submit event without leaving the page, and shows the answer. */
const SIGN_UP = `async function signUp(event) {
  event.preventDefault()
  const reply = await fetch('/signup', { method: 'POST', body: new FormData(event.target) })
  document.querySelector('output').innerHTML = await reply.text()
}`

export const boxOf = ({ endpoint, sitekey, intent }: Site, attributes = ''): string =>
  `<div class="svc-captcha" data-endpoint="${endpoint}" data-sitekey="${sitekey}" data-intent="${intent}" ${attributes}></div>`

/** The fields of the form, and its button. */
export const fieldsOf = (site: Site, box = boxOf(site)): string =>
  `<input type="hidden" name="attempt" value="${site.attempt}"><label>Comment <input name="comment"></label>${box}<button>Send</button>`

export const formOf = (site: Site, attributes = '', box?: string): string =>
  `<form method="post" action="/signup" ${attributes}>${fieldsOf(site, box)}</form>`

/** A merchant's sign-up, which redeems each token that it gets. */
export async function openShop(trial: Trial, options: ShopOptions = {}): Promise<Shop> {
  const { scripts = [], app, head = '', pages = {}, form = (site: Site) => formOf(site) } = options
  /** The current intent of each attempt. */
  const intents = new Map<string, string>()
  const signUps: SignUp[] = []

  async function openAttempt(): Promise<Site> {
    const attempt = `attempt-${intents.size}`
    const intent = await trial.intent()
    intents.set(attempt, intent)
    return { endpoint: trial.endpoint, sitekey: trial.sitekey, intent, attempt }
  }

  function pageOf(site: Site, body: string): string {
    const included = [...scripts.map((file) => `/node_modules/${file}`), `${trial.endpoint}/widget.js`]
    return `<!doctype html><html lang="en"><head><title>Shop</title>${head}
      <script>site = ${JSON.stringify(site)}; ${SIGN_UP}</script>
      ${included.map((source) => `<script src="${source}" defer></script>`).join('')}</head>
      <body>${body}<output></output>${app === undefined ? '' : '<script src="/app.js" defer></script>'}</body></html>`
  }

  async function signUp(request: IncomingMessage): Promise<SignUp> {
    const headers = { 'content-type': request.headers['content-type'] ?? '' }
    const fields = await new Response(new Uint8Array(await buffer(request)), { headers }).formData()
    const field = (name: string) => {
      const value = fields.get(name)
      return typeof value === 'string' ? value : ''
    }
    const comment = field('comment')
    const intent = intents.get(field('attempt')) ?? ''
    const key = randomBytes(16).toString('hex')
    const status = comment === REFUSED ? 0 : await trial.redeem(intent, field('svc-captcha-response'), key)
    const arrived = { comment, status }
    signUps.push(arrived)
    return arrived
  }

  /** Gives the attempt of the expired intent a new one. */
  async function renew(request: IncomingMessage): Promise<string> {
    const { intent_id: expired } = JSON.parse((await buffer(request)).toString()) as { intent_id: string }
    const attempt = [...intents].find(([, intent]) => intent === expired)?.[0] ?? ''
    const next = await trial.intent()
    intents.set(attempt, next)
    return JSON.stringify({ intent_id: next })
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '', 'http://localhost')
    const send = (type: string, body: string | Buffer, status = 200) =>
      response.writeHead(status, { 'content-type': `${type}; charset=utf-8` }).end(body)
    const asksForPage = request.headers.accept?.includes('text/html') === true
    if (pathname === '/signup') {
      if ((await signUp(request)).status === 200)
        return void (asksForPage ? response.writeHead(303, { location: '/welcome' }).end() : send('text/html', WELCOME))
      const site = await openAttempt()
      return void send('text/html', asksForPage ? pageOf(site, form(site)) : form(site), 422)
    }
    if (pathname === '/intent') return void send('application/json', await renew(request))
    if (pathname === '/form') return void send('text/html', form(await openAttempt()))
    if (pathname === '/app.js') return void send('text/javascript', app ?? '')
    if (pathname.startsWith('/node_modules/'))
      return void send(TYPES[extname(pathname)] ?? 'text/plain', readFileSync(pathname.slice(1)))
    const render = pages[pathname] ?? { '/': form, '/welcome': () => WELCOME }[pathname]
    if (!render) return void response.writeHead(204).end()
    const site = await openAttempt()
    send('text/html', pageOf(site, render(site)))
  }

  const { url, close } = await listen((request, response) => {
    answer(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)))
  })
  return { url: `${url.replace('127.0.0.1', 'localhost')}/`, signUps, close }
}
