import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import type { Service } from '../../e2e/setup/service.ts'
import { type ChallengeKind, openTrial } from '../../e2e/setup/trial.ts'
import { listen } from '../../sdk/testing/listen.ts'
import { openRelay, type Relay } from './relay.ts'

export type ShopOptions = {
  /** Attributes of the component. */
  attributes?: string
  /** More markup in the form. */
  fields?: string
  /** What surrounds the form. */
  wrap?: (form: string) => string
  /** Attributes of the `html` element. */
  html?: string
  query?: string
  /** The page's content security policy, which has to allow the service's origin. */
  policy?: (origin: string) => string
  kind?: ChallengeKind
  work?: number
}

/** A merchant with one page and one form, and a relay before the service. */
export type Shop = {
  url: string
  relay: Relay
  /** The intents of the visitor, the current one last. */
  intents: string[]
  /** The forms that were sent. */
  orders: Record<string, string>[]
  /** Lets time pass for its intents. */
  age(seconds: number): Promise<void>
  /** What /siteverify says of the token for the current intent. */
  redeem(token: string | undefined): Promise<number>
  close(): Promise<void>
}

/** Runs in the page before the component, and keeps what a test asks about. */
const RECORDER = `
window.recorder = { errors: [], violations: [], workers: { created: 0, answered: 0, refused: 0 } }
addEventListener('error', ({ message }) => recorder.errors.push(String(message)))
addEventListener('unhandledrejection', ({ reason }) => recorder.errors.push(String(reason)))
document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => recorder.violations.push(effectiveDirective))
const { workers } = recorder
Worker = class extends Worker {
  constructor(...options) {
    workers.created += 1
    super(...options)
    this.addEventListener('message', () => { workers.answered += 1 })
    this.addEventListener('error', () => { workers.refused += 1 })
  }
}`

export async function openShop(service: Service, options: ShopOptions): Promise<Shop> {
  const {
    attributes = '',
    fields = '',
    html = 'lang="en"',
    query = '',
    policy,
    kind = 'sha256',
    work = 2_048,
  } = options
  const { wrap = (form: string) => form } = options
  const relay = await openRelay(service.url)
  const trial = await openTrial({ ...service, url: relay.url }, work, kind)
  const intents = [await trial.intent()]
  const orders: Record<string, string>[] = []

  const element = `<div class="svc-captcha" data-sitekey="${trial.sitekey}" data-intent="${intents[0]}"
    data-endpoint="${relay.url}" ${attributes}></div>`
  const form = `<form method="post" action="/order"><label>Comment <input name="comment"></label>
    ${element}${fields}<button name="by" value="send">Send</button></form>`
  const page = (body: string) => `<!doctype html><html ${html}><title>Shop</title>${body}</html>`
  const scripts = `<script src="/recorder.js"></script><script src="${relay.url}/widget.js${query}" async defer></script>`

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const headers = policy ? { 'content-security-policy': policy(relay.url) } : {}
    const reply = (type: string, body: string) =>
      response.writeHead(200, { 'content-type': `${type}; charset=utf-8`, ...headers }).end(body)
    switch (`${request.method} ${request.url}`) {
      case 'GET /':
        return void reply('text/html', page(scripts + wrap(form)))
      case 'GET /recorder.js':
        return void reply('text/javascript', RECORDER)
      case 'POST /order':
        orders.push(Object.fromEntries(new URLSearchParams(await text(request))))
        return void reply('text/html', page('<p>Thank you</p>'))
      case 'POST /intent':
        intents.push(await trial.intent())
        return void reply('application/json', JSON.stringify({ intent_id: intents.at(-1) }))
      default:
        response.writeHead(404).end()
    }
  }

  const server = await listen((request, response) => void answer(request, response))
  return {
    url: server.url.replace('127.0.0.1', 'localhost'),
    relay,
    intents,
    orders,
    age: (seconds) => trial.age(seconds),
    redeem: (token) => trial.redeem(intents.at(-1) ?? '', token ?? ''),
    async close() {
      await server.close()
      await relay.close()
    },
  }
}
