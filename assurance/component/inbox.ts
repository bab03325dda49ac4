import { readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import type { Locator, Page } from '@playwright/test'
import { test as base, expect } from '../../e2e/setup/test.ts'
import type { Trial } from '../../e2e/setup/trial.ts'
import { check, delayResponses } from '../../e2e/setup/visitor.ts'
import { listen } from '../../sdk/testing/listen.ts'

export { expect } from '@playwright/test'

/** What a form or a script of the page has sent. */
export type Sent = Readonly<{
  method: string
  path: string
  fields: readonly (readonly [name: string, value: string])[]
}>

export type Inbox = {
  readonly url: string
  /** All that has been sent to the site, in order. */
  readonly sent: readonly Sent[]
  /** Replaces the page at `/`. */
  show(markup: string): void
  close(): Promise<void>
}

/** Files of libraries as they are published, at `/lib/<name>.js`. */
const LIBRARIES: Readonly<Record<string, readonly [name: string, file: string]>> = {
  jquery: ['jquery', 'dist/jquery.min.js'],
  validate: ['jquery-validation', 'dist/jquery.validate.min.js'],
  turbo: ['@hotwired/turbo', 'dist/turbo.es2017-umd.js'],
  htmx: ['htmx.org', 'dist/htmx.min.js'],
}

const resolve = createRequire(import.meta.url).resolve

function readLibrary(name: string): string {
  const [packageName, file] = LIBRARIES[name] ?? ['', '']
  const main = resolve(packageName)
  const root = main.slice(0, main.lastIndexOf(join('node_modules', packageName)))
  return readFileSync(join(root, 'node_modules', packageName, file), 'utf8')
}

async function readFields(request: IncomingMessage, query: URLSearchParams): Promise<Sent['fields']> {
  if (request.method === 'GET') return [...query]
  const type = request.headers['content-type'] ?? ''
  const body = await buffer(request)
  if (type.startsWith('application/json')) return Object.entries(JSON.parse(body.toString()) as Record<string, string>)
  // Without a boundary it is text/plain: a line for each field.
  if (type.startsWith('text/plain')) {
    const lines = body.toString().split('\r\n').filter(Boolean)
    return lines.map((line) => [line.split('=')[0] ?? '', line.slice(line.indexOf('=') + 1)])
  }
  const fields = await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData()
  return [...fields].map(([name, value]) => [name, typeof value === 'string' ? value : `${value.name}: ${value.size}`])
}

/** A site with one page, which keeps what is sent to it. After a POST it redirects to `/received`, as most sites do. */
async function openInbox(): Promise<Inbox> {
  const sent: Sent[] = []
  let page = ''
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
    const { method = 'GET' } = request
    const html = (body: string) => response.setHeader('content-type', 'text/html; charset=utf-8').end(body)
    const library = /^\/lib\/(\w+)\.js$/.exec(pathname)?.[1]
    if (library) return void response.setHeader('content-type', 'text/javascript').end(readLibrary(library))
    // jquery-validation asks this address whether a name is free.
    if (pathname === '/free') return void response.setHeader('content-type', 'application/json').end('true')
    if (method === 'POST' || searchParams.size > 0) {
      sent.push({ method, path: pathname, fields: await readFields(request, searchParams) })
      if (method === 'POST') return void response.writeHead(303, { location: '/received' }).end()
    }
    if (pathname === '/' && searchParams.size === 0)
      html(`<!doctype html><html lang="en"><title>Site</title>${page}</html>`)
    else if (pathname === '/favicon.ico') response.writeHead(204).end()
    else html('<!doctype html><html lang="en"><title>Received</title><p>Thank you</p></html>')
  }
  const { url, close } = await listen(
    (request, response) => void answer(request, response.setHeader('connection', 'close')),
  )
  return {
    url: `${url.replace('127.0.0.1', 'localhost')}/`,
    sent,
    show: (markup) => {
      page = markup
    },
    close,
  }
}

/** The name under which the token is sent. */
export const RESPONSE = 'svc-captcha-response'

/** The only token that was sent. */
export function tokenOf(sent: Sent | undefined): string {
  const tokens = sent?.fields.filter(([name]) => name === RESPONSE).map(([, value]) => value) ?? []
  if (tokens.length !== 1) throw new Error(`one token was expected: ${JSON.stringify(sent)}`)
  return tokens[0] ?? ''
}

/** Opens the page of the site with the component's script at its end, and does `act` while the component works. */
export async function sendEarly(page: Page, inbox: Inbox, markup: string, act: () => Promise<unknown>): Promise<void> {
  const before = inbox.sent.length
  inbox.show(markup)
  const proceed = await delayResponses(page, 'challenge')
  await page.goto(inbox.url)
  await act()
  expect(inbox.sent, 'the form waits').toHaveLength(before)
  proceed()
  await expect.poll(() => inbox.sent.length).toBe(before + 1)
}

/** The last that was sent has one token, which the service accepts for the intent of this element. */
export async function expectToken(trial: Trial, { sent }: Inbox, box: string): Promise<void> {
  expect(await trial.redeem(intentOf(box), tokenOf(sent.at(-1)))).toBe(200)
}

export const isWorking = (within: Page | Locator): Promise<void> =>
  expect(check(within).first()).toHaveText('Verifying you are human')

/** The intent of the element. */
export const intentOf = (box: string): string => /data-intent="([^"]+)"/.exec(box)?.[1] ?? ''

export const test = base.extend<{ inbox: Inbox }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright requires the pattern
  inbox: async ({}, use) => {
    const inbox = await openInbox()
    await use(inbox)
    await inbox.close()
  },
})
