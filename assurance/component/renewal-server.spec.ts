import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { expect, test } from '../../e2e/setup/test.ts'
import type { Trial } from '../../e2e/setup/trial.ts'
import { check, expectSent, expire, token } from '../../e2e/setup/visitor.ts'

/** Renewal as servers and pages really do it: redirects, sessions, frames, markup that is put back. */

type Next = () => Promise<string>
type Answer = (request: IncomingMessage, reply: ServerResponse, next: Next) => unknown

/** The merchant's server: the page, and what it answers to a renewal. */
const siteOf =
  (trial: Trial, form: string, answer: Answer): RequestListener =>
  (request, reply) => {
    request.resume()
    if (request.method === 'POST') return void answer(request, reply, trial.intent)
    reply.setHeader('set-cookie', 'session=1; HttpOnly; SameSite=Lax')
    reply.setHeader('content-type', 'text/html')
    reply.end(`<!doctype html><html lang="en"><script src="${trial.endpoint}/widget.js" async></script>${form}`)
  }

const json = async (reply: ServerResponse, next: Next, status = 200, before = ''): Promise<void> => {
  const body = before + JSON.stringify({ intent_id: await next() })
  reply.writeHead(status).end(body)
}

const plain: Answer = (_, reply, next) => json(reply, next)

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
  test(`a form is renewed and sent where the server ${what}`, async ({ page, trial, host }) => {
    await page.clock.install()
    const url = await host(siteOf(trial, await trial.form('data-renew="/intent"'), answer))
    await page.goto(url)
    await expire(page)
    await page.getByLabel('Comment').focus()
    await page.clock.runFor(3_000)
    await expectSent(page, trial)
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
  test(`a renewed form is sent where the page ${how}`, async ({ page, trial, host }) => {
    await page.clock.install()
    const url = await host(siteOf(trial, `<body>${await trial.form('data-renew="/intent"')}`, plain))
    await page.addInitScript(`addEventListener('DOMContentLoaded', () => {
      window.first = document.body.innerHTML.replace(/<tollgate-box.*?<.tollgate-box>/s, '')
      window.intent = document.querySelector('.svc-captcha').dataset.intent
    })`)
    await page.goto(url)
    await expire(page)
    await trial.age(301)
    await page.getByLabel('Comment').fill('kept')
    await expect(token(page)).toHaveValue(/^tgr_/)
    await page.evaluate(restore)
    await expect(page.locator('[data-tollgate]')).toHaveCount(1)
    await expectSent(page, trial)
  })
}

/** Frames without an address of their own: how the page opens one with `markup`. */
const FRAMES: Readonly<Record<string, string>> = {
  'that a script writes': `const { contentDocument } = frame; contentDocument.open(); contentDocument.write(markup); contentDocument.close()`,
  'of a blob': `frame.src = URL.createObjectURL(new Blob([markup], { type: 'text/html' }))`,
  'with srcdoc in a sandbox': `frame.sandbox = 'allow-scripts allow-forms allow-same-origin'; frame.srcdoc = markup`,
}
for (const [what, open] of Object.entries(FRAMES)) {
  test(`a form is renewed and sent in a frame ${what}`, async ({ page, trial, host }) => {
    await page.clock.install()
    const url = await host(siteOf(trial, '<iframe></iframe>', plain))
    await page.goto(url)
    const markup = `<!doctype html><script src="${trial.endpoint}/widget.js"></script>${(await trial.form('data-renew="/intent"')).replace('<form', `<form action="${url}"`)}`
    await page.evaluate(
      `{ const markup = ${JSON.stringify(markup)}; const frame = document.querySelector('iframe'); ${open} }`,
    )
    const frame = page.frameLocator('iframe')
    await expire(page, frame)
    await frame.getByLabel('Comment').fill('kept')
    await expect(token(frame)).toHaveValue(/^tgr_/)
    await expectSent(page, trial, frame.locator('body'))
  })
}

test('a path that the page sets after the expiry is used', async ({ page, trial, host }) => {
  await page.clock.install()
  const url = await host(siteOf(trial, await trial.form(), plain))
  await page.goto(url)
  await expire(page)
  await expect(check(page)).toContainText('Verification expired')
  await page.evaluate(`document.querySelector('.svc-captcha').dataset.renew = '/intent'`)
  await expectSent(page, trial)
})

test('of two forms whose intents have expired, only the one that is used is renewed', async ({ page, trial, host }) => {
  await page.clock.install()
  let asked = 0
  const forms = [await trial.form('data-renew="/intent"'), await trial.form('data-renew="/intent"')]
  const url = await host(
    siteOf(trial, forms.map((form) => `<section>${form}</section>`).join(''), (_, reply, next) => {
      asked += 1
      return json(reply, next)
    }),
  )
  await page.goto(url)
  await expect(page.getByText('Verified')).toHaveCount(2)
  await page.clock.fastForward('05:01')
  const second = page.locator('section').nth(1)
  await second.getByLabel('Comment').fill('kept')
  await expect(check(second)).toHaveText('Verified')
  expect(asked).toBe(1)
  await expectSent(page, trial, second)
})
