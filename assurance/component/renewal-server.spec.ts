import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FrameLocator, Page } from '@playwright/test'
import { expect, test } from '../../e2e/setup/test.ts'
import type { Trial } from '../../e2e/setup/trial.ts'
import { check, expectSent, token } from '../../e2e/setup/visitor.ts'
import { listen } from '../../sdk/testing/listen.ts'

/** Renewal as servers and pages really do it: redirects, sessions, frames, markup that is put back. */

type Next = () => Promise<string>
type Answer = (request: IncomingMessage, reply: ServerResponse, next: Next) => unknown

/** The merchant's server: the page, and what it answers to a renewal. */
async function openShop(trial: Trial, form: string, answer: Answer) {
  const server = await listen((request, reply) => {
    request.resume()
    if (request.method === 'POST') return void answer(request, reply, () => trial.intent())
    reply.setHeader('set-cookie', 'session=1; HttpOnly; SameSite=Lax')
    reply.setHeader('content-type', 'text/html')
    reply.end(`<!doctype html><html lang="en"><script src="${trial.endpoint}/widget.js" async></script>${form}`)
  })
  return { ...server, url: server.url.replace('127.0.0.1', 'localhost') }
}

const json = async (reply: ServerResponse, next: Next, status = 200, before = ''): Promise<void> => {
  const body = before + JSON.stringify({ intent_id: await next() })
  reply.writeHead(status).end(body)
}

async function expire(page: Page, within: Page | FrameLocator = page): Promise<void> {
  const field = within.locator('[name="svc-captcha-response"]')
  await expect(field).toHaveValue(/^tgr_/)
  await page.clock.fastForward('05:01')
  await expect(field).toHaveValue('')
}

const SERVERS: Readonly<Record<string, Answer>> = {
  'redirects to an address with a slash': (request, reply, next) => {
    if (request.url === '/intent/') return json(reply, next)
    reply.writeHead(308, { location: '/intent/' }).end()
  },
  'writes a byte order mark and empty lines before its JSON': (_, reply, next) => json(reply, next, 201, '\uFEFF\n\n'),
  'changes the cookie of the session with each answer': (request, reply, next) => {
    const turn = Number(/session=(\d)/.exec(request.headers.cookie ?? '')?.[1])
    // the answer to the first request is lost
    if (turn === 1) {
      reply.writeHead(502, { 'set-cookie': 'session=2; HttpOnly' }).end()
    } else void json(reply, next, turn === 2 ? 200 : 403)
  },
}
for (const [what, answer] of Object.entries(SERVERS)) {
  test(`a form is renewed and sent where the server ${what}`, async ({ page, trial }) => {
    await page.clock.install()
    const shop = await openShop(trial, await trial.form('data-renew="/intent"'), answer)
    await page.goto(shop.url)
    await expire(page)
    await page.getByLabel('Comment').focus()
    await page.clock.runFor(3_000)
    await expectSent(page, trial)
    await shop.close()
  })
}

/** How a page puts back the markup that it got first, of which the intent has expired. */
const MARKUP: Readonly<Record<string, string>> = {
  'replaces it': `document.body.innerHTML = first`,
  'replaces the element': `{ const box = document.querySelector('.svc-captcha'); box.outerHTML = box.cloneNode().outerHTML.replace(/data-intent="[^"]+"/, 'data-intent="' + intent + '"') }`,
  'puts a copy of the whole page in its place': `document.body.replaceWith(document.body.cloneNode(true))`,
  'parses the page’s own markup again': `document.body.innerHTML = document.body.innerHTML`,
}
for (const [how, restore] of Object.entries(MARKUP)) {
  test(`a renewed form is sent where the page ${how}`, async ({ page, trial }) => {
    await page.clock.install()
    const shop = await openShop(trial, `<body>${await trial.form('data-renew="/intent"')}`, (_, reply, next) =>
      json(reply, next),
    )
    await page.addInitScript(`addEventListener('DOMContentLoaded', () => {
      window.first = document.body.innerHTML.replace(/<tollgate-box.*?<.tollgate-box>/s, '')
      window.intent = document.querySelector('.svc-captcha').dataset.intent
    })`)
    await page.goto(shop.url)
    await expire(page)
    await trial.age(301)
    await page.getByLabel('Comment').fill('kept')
    await expect(token(page)).toHaveValue(/^tgr_/)
    await page.evaluate(restore)
    await expect(page.locator('[data-tollgate]')).toHaveCount(1)
    await expectSent(page, trial)
    await shop.close()
  })
}

/** Frames without an address of their own: how the page opens one with `markup`. */
const FRAMES: Readonly<Record<string, string>> = {
  'that a script writes': `const { contentDocument } = frame; contentDocument.open(); contentDocument.write(markup); contentDocument.close()`,
  'of a blob': `frame.src = URL.createObjectURL(new Blob([markup], { type: 'text/html' }))`,
  'with srcdoc in a sandbox': `frame.sandbox = 'allow-scripts allow-forms allow-same-origin'; frame.srcdoc = markup`,
}
for (const [what, open] of Object.entries(FRAMES)) {
  test(`a form is renewed and sent in a frame ${what}`, async ({ page, trial }) => {
    await page.clock.install()
    const shop = await openShop(trial, '<iframe></iframe>', (_, reply, next) => json(reply, next))
    await page.goto(shop.url)
    const markup = `<!doctype html><script src="${trial.endpoint}/widget.js"></script>${(await trial.form('data-renew="/intent"')).replace('<form', `<form action="${shop.url}"`)}`
    await page.evaluate(
      `{ const markup = ${JSON.stringify(markup)}; const frame = document.querySelector('iframe'); ${open} }`,
    )
    const frame = page.frameLocator('iframe')
    await expire(page, frame)
    await frame.getByLabel('Comment').fill('kept')
    await expect(frame.locator('[name="svc-captcha-response"]')).toHaveValue(/^tgr_/)
    await expectSent(page, trial, frame.locator('body'))
    await shop.close()
  })
}

test('a relative path is resolved at the base of an application below the page’s own origin', async ({
  page,
  trial,
}) => {
  await page.clock.install()
  const asked: unknown[] = []
  const form = `<base href="/app/de/">${await trial.form('data-renew="../intent"')}`
  const shop = await openShop(trial, form, (request, reply, next) => {
    asked.push(request.url)
    return json(reply, next)
  })
  await page.goto(`${shop.url}/app/checkout`)
  await expire(page)
  await expectSent(page, trial)
  expect(asked).toEqual(['/app/intent'])
  await shop.close()
})

test('a path that the page sets after the expiry is used', async ({ page, trial }) => {
  await page.clock.install()
  const shop = await openShop(trial, await trial.form(), (_, reply, next) => json(reply, next))
  await page.goto(shop.url)
  await expire(page)
  await expect(check(page)).toContainText('Verification expired')
  await page.evaluate(`document.querySelector('.svc-captcha').dataset.renew = '/intent'`)
  await expectSent(page, trial)
  await shop.close()
})

test('of two forms whose intents have expired, only the one that is used is renewed', async ({ page, trial }) => {
  await page.clock.install()
  let asked = 0
  const forms = [await trial.form('data-renew="/intent"'), await trial.form('data-renew="/intent"')]
  const shop = await openShop(trial, forms.map((form) => `<section>${form}</section>`).join(''), (_, reply, next) => {
    asked += 1
    return json(reply, next)
  })
  await page.goto(shop.url)
  await expect(page.getByText('Verified')).toHaveCount(2)
  await page.clock.fastForward('05:01')
  const second = page.locator('section').nth(1)
  await second.getByLabel('Comment').fill('kept')
  await expect(check(second)).toHaveText('Verified')
  expect(asked).toBe(1)
  await expectSent(page, trial, second)
  await shop.close()
})
