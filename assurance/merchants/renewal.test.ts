import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest'
import { findPhp } from '../../scripts/php.mjs'
import { findFrameworkPython, findPython } from '../../scripts/python.mjs'
import type { Merchant } from '../../sdk/kit/adapter.ts'
import { openTestApp, type TestApp } from '../../test/support/app.ts'
import { makeSite } from '../../test/support/make.ts'

// CI installs all of it, so there a missing Python, PHP or framework fails
const isCi = process.env['CI'] !== undefined
const php = findPhp(['pdo_sqlite'])
const MERCHANTS = [
  ['express', true],
  ['fastify', true],
  ['next', true],
  ['flask', isCi || findFrameworkPython() !== undefined],
  // its rows are counted with Python
  ['php', isCi || (php !== undefined && findPython() !== undefined)],
] as const

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
  vi.stubEnv('ACCEPT_DATABASE_URL', inject('cluster'))
  vi.stubEnv('PYTHON', findPython())
  vi.stubEnv('PHP', php)
})
afterAll(() => app.close())

/** Opens the form as a new visitor. */
async function openForm({ form }: Merchant) {
  const reply = await fetch(form)
  const html = await reply.text()
  const valueOf = (pattern: RegExp) => pattern.exec(html)?.[1] ?? ''
  return {
    cookie: reply.headers.getSetCookie()[0]?.split(';', 1)[0] ?? '',
    attempt: valueOf(/name="attempt" value="([^"]+)"/),
    intent: valueOf(/data-intent="([^"]+)"/),
    renew: new URL(valueOf(/data-renew="([^"]+)"/), form).href,
  }
}

/** Asks for another intent as the component does. */
async function renew(url: string, cookie: string, intent: string): Promise<{ status: number; intent: string }> {
  const reply = await fetch(url, {
    method: 'POST',
    headers: { cookie, accept: 'application/json', 'content-type': 'application/json' },
    body: JSON.stringify({ intent_id: intent }),
  })
  const { intent_id: next = '' } = (await reply.json()) as { intent_id?: string | null }
  return { status: reply.status, intent: next ?? '' }
}

for (const [name, runs] of MERCHANTS)
  test(`${name} renews the intent of an open form, also if an answer was lost, and of no other`, async ({ skip }) => {
    if (!runs) skip('its language or its framework is not installed')
    const { sitekey, secret } = await makeSite(app.ctx, { hostnames: ['localhost'] })
    const adapters = await import('../../sdk/kit/adapters/examples.ts')
    const merchant = await adapters[name].start({ tollgateUrl: app.url, sitekey, secret, hostname: 'localhost' })
    try {
      const form = await openForm(merchant)
      const first = await renew(form.renew, form.cookie, form.intent)
      const repeated = await renew(form.renew, form.cookie, form.intent)
      const second = await renew(form.renew, form.cookie, repeated.intent)
      const statuses = [first.status, repeated.status, second.status]
      expect({ statuses, logs: await merchant.logs() }).toMatchObject({ statuses: [200, 200, 200] })
      expect(new Set([form.intent, first.intent, repeated.intent, second.intent]).size).toBe(4)

      const other = await openForm(merchant)
      expect((await renew(form.renew, other.cookie, second.intent)).status).toBe(409)
      expect((await renew(form.renew, form.cookie, crypto.randomUUID())).status).toBe(409)

      // sent with a token that the service refuses: the attempt keeps its intent
      const fields = { ...merchant.fields, attempt: form.attempt, 'svc-captcha-response': 'tgr_x' }
      await fetch(merchant.form, {
        method: 'POST',
        headers: { cookie: form.cookie },
        body: new URLSearchParams(fields),
      })
      expect((await renew(form.renew, form.cookie, second.intent)).status).toBe(409)
    } finally {
      await merchant.stop()
    }
  })
