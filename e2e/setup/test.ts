import type { RequestListener } from 'node:http'
import { fileURLToPath } from 'node:url'
import { test as base } from '@playwright/test'
import { listen } from '../../sdk/testing/listen.ts'
import { type Member, openTenant, signIn } from './member.ts'
import { type Merchant, openMerchant, openTestKeyShop, since } from './merchant.ts'
import { openService, type Service } from './service.ts'
import { makeSite, type Site } from './site.ts'
import { answerWith } from './standalone.ts'
import { type ChallengeKind, openTrial, type Trial } from './trial.ts'

export { expect } from '@playwright/test'

export type PerWorker = {
  /** The service's LOG_LEVEL; what it wrote is attached to a test that failed. */
  logLevel: string
  service: Service
  /** Gives a merchant with units enough for any test. */
  standing: () => Promise<Merchant>
}

type Serve<T> = (markup: string, options?: { query?: string; policy?: string }) => Promise<T>

type PerTest = {
  /** Set: the merchant is a new one with so many units a month. */
  quota: number | undefined
  /** Set: the merchant is a new one that uses this published test key. */
  testKey: string | undefined
  /** The merchant of the test; nothing but the test is in its books. */
  merchant: Merchant
  /** The owner of a new tenant, signed in. */
  owner: Member
  /** A site of that tenant, on localhost, whose challenges take next to no work. */
  site: Site
  /** Expected hashes that the trial's visitors are asked for; next to nothing unless set. */
  work: number
  /** The kind of challenge of the trial's site. */
  kind: ChallengeKind
  /** A site of the test's own, for pages that need no shop. */
  trial: Trial
  /** Serves a page of the test's own on localhost, with the component's script; its address. */
  serve: Serve<string>
  /** Serves such a page and opens it; with `render=explicit`, until a script can render. */
  visit: Serve<void>
  /** Listens on localhost until the test has ended; the address, without a slash at its end. */
  host: (listener: RequestListener) => Promise<string>
  /** Errors, thrown or in the console, that belong to what the test does. */
  expectedErrors: RegExp
  /** Always on: what went wrong in the browser without anybody asking fails the test. */
  watch: undefined
}

const RECORDER = fileURLToPath(new URL('recorder.js', import.meta.url))
/** What Chromium says of every answer from 400 up, of a refused connection, and of our own aborted requests. */
const NETWORK = /^Failed to load resource/
/** What the component writes for developers when it shows an error: a test that cares reads it. */
const HELP = /^Tollgate: /

/** The visitors of all tests share one network: a site gives it more and more work, and in the end turns it away. */
const TESTS_PER_MERCHANT = 4

export const test = base.extend<PerTest, PerWorker>({
  logLevel: ['info', { option: true, scope: 'worker' }],
  service: [
    async ({ logLevel }, use) => {
      const service = await openService(logLevel)
      await use(service)
      await service.close()
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  standing: [
    async ({ service }, use) => {
      const opened: Merchant[] = []
      let uses = 0
      await use(async () => {
        const known = opened.at(-1)
        uses += 1
        if (known && uses % TESTS_PER_MERCHANT !== 0) return known
        const merchant = await openMerchant(service, 1_000_000)
        opened.push(merchant)
        return merchant
      })
      for (const merchant of opened) await merchant.close()
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  quota: [undefined, { option: true }],
  testKey: [undefined, { option: true }],
  expectedErrors: [/^$/, { option: true }],
  merchant: async ({ service, standing, quota, testKey }, use) => {
    if (quota === undefined && testKey === undefined) return use(await since(await standing()))
    const merchant = await (testKey ? openTestKeyShop(service, testKey) : openMerchant(service, quota ?? 0))
    await use(await since(merchant))
    await merchant.close()
  },
  owner: async ({ page, service }, use) => {
    const owner = await openTenant(service)
    await signIn(page, service, owner)
    await use(owner)
  },
  site: async ({ service, owner }, use) => {
    const site = await makeSite(service, owner)
    await service.sql.query('update site set base_work = 1024 where id = $1', [site.id])
    await use(site)
  },
  work: [2_048, { option: true }],
  kind: ['sha256', { option: true }],
  trial: async ({ service, work, kind }, use) => use(await openTrial(service, work, kind)),
  // oxlint-disable-next-line no-empty-pattern -- Playwright requires the pattern
  host: async ({}, use) => {
    const servers: Awaited<ReturnType<typeof listen>>[] = []
    await use(async (listener) => {
      const server = await listen(listener)
      servers.push(server)
      return server.url.replace('127.0.0.1', 'localhost')
    })
    await Promise.all(servers.map((server) => server.close()))
  },
  serve: async ({ service, host }, use) =>
    use(async (markup, { query = '', policy } = {}) => {
      const script = `<script src="${service.url}/widget.js${query}" async defer></script>`
      return `${await host(answerWith(script + markup, policy))}/`
    }),
  visit: async ({ page, serve }, use) =>
    use(async (markup, options) => {
      await page.goto(await serve(markup, options))
      if (options?.query?.includes('render=explicit')) await page.waitForFunction('window.svcCaptcha')
    }),
  watch: [
    async ({ context, service, expectedErrors }, use, testInfo) => {
      const faults: string[] = []
      await context.addInitScript({ path: RECORDER })
      context.on('weberror', (error) => {
        const { message } = error.error()
        if (!expectedErrors.test(message)) faults.push(`uncaught: ${message}`)
      })
      context.on('console', (message) => {
        const text = message.text()
        if (message.type() === 'error' && !NETWORK.test(text) && !HELP.test(text) && !expectedErrors.test(text))
          faults.push(text)
      })
      context.on('request', (request) => {
        const { protocol, hostname } = new URL(request.url())
        if (protocol.startsWith('http') && !['127.0.0.1', 'localhost'].includes(hostname)) {
          faults.push(`a request to ${hostname}`)
        }
      })
      await use(undefined)
      if (testInfo.status !== testInfo.expectedStatus) {
        await testInfo.attach('service', { body: service.output(), contentType: 'text/plain' })
      }
      base.expect(faults, 'what the browser complained of').toEqual([])
    },
    { auto: true },
  ],
})
