import { setTimeout as sleep } from 'node:timers/promises'
import type { Page as Tab } from 'playwright-core'
import { expect, under } from '../check.ts'
import type { Kit } from '../kit.ts'
import type { Probe } from '../probe.ts'

const PATIENCE_MS = 120_000
const CLOSING_MS = 2_000
const SOLVED_MS = 60_000

/** The token in the form, once the component has set it. */
const SOLVED = `[...document.querySelectorAll('form :is(input, textarea)')].map(({ value }) => value).find((value) => value.startsWith('tgr_'))`

/** The form itself: without it, the other checks are meaningless. */
export const WORKS = under<Probe>(0, [
  {
    name: 'a visitor completes the form in a browser',
    expected: 'executed once, and the browser shows a success page',
    fix: 'Look at the page in a browser: the component must be inside the form and the fields of the adapter must be valid.',
    needs: 'browser',
    run: async (kit) => {
      await kit.expectExecuted(1, () =>
        withTab(kit, async (tab) => {
          await visit(kit, tab)
          await fillIn(tab, kit.merchant.fields)
          kit.recorded.tokens.add(await solved(tab))
          const [reply] = await Promise.all([
            tab.waitForResponse((each) => each.request().method() === 'POST' && isFrom(kit, each.url())),
            tab.locator('form:has(.svc-captcha) :is(button:not([type]), [type=submit])').first().click(),
          ])
          expect(reply.status() < 400, `the form was answered ${reply.status()}`)
          await tab.waitForLoadState()
        }),
      )
    },
  },
  {
    name: 'a visitor completes the form',
    expected: 'executed once, answered with a success page',
    fix: 'The form must be a plain HTML form that is sent by POST, and `fields` of the adapter must be complete and valid.',
    run: async (kit) => {
      const opened = await kit.earn()
      expect(
        opened.form.method === 'POST',
        `the form is sent by ${opened.form.method}, which puts the token into the URL`,
      )
      expect(opened.widget.sitekey === kit.keys.sitekey, 'the component’s data-sitekey is not the configured site key')
      const page = await kit.expectExecuted(1, () => kit.submit(opened, opened))
      kit.expectSuccess(page)
    },
  },
])

const isFrom = ({ merchant }: Kit, url: string) => new URL(url).origin === new URL(merchant.form).origin

/** Runs the work in a browser profile of its own. */
export async function withTab<T>(kit: Kit, work: (tab: Tab) => Promise<T>): Promise<T> {
  if (!kit.browser) throw new Error('there is no browser')
  const context = await kit.browser.newContext()
  try {
    const tab = await context.newPage()
    tab.setDefaultTimeout(60_000)
    const done = await Promise.race([work(tab), timeout()])
    const cookies = await Promise.race([context.cookies(kit.merchant.form), timeout()])
    const visitor = kit.newVisitor()
    for (const { value } of cookies) if (value.length >= 16) kit.recorded.sessions.set(value, visitor)
    return done
  } finally {
    // after a manipulated page, Chromium took minutes to close the profile; closing the browser closes it too
    await context.unrouteAll({ behavior: 'ignoreErrors' })
    await Promise.race([context.close(), sleep(CLOSING_MS, undefined, { ref: false })])
  }
}

/** The token, once the component has set it. By single calls, because a page may forbid `eval`, which `waitForFunction` uses in it. */
export async function solved(tab: Tab): Promise<string> {
  const signal = AbortSignal.timeout(SOLVED_MS)
  for (;;) {
    const token = await tab.evaluate<string | undefined>(SOLVED)
    if (token !== undefined) return token
    if (signal.aborted) throw new Error(`the component did not set a token within ${SOLVED_MS / 1000} seconds`)
    await sleep(100)
  }
}

/** Limits the time for a page that hangs, because not every operation on a page has a timeout. */
async function timeout(): Promise<never> {
  await sleep(PATIENCE_MS, undefined, { ref: false })
  throw new Error(`the browser did not finish within ${PATIENCE_MS / 1000} seconds`)
}

/** Opens the page of the form. @throws Failed if it is not answered with 200 */
export async function visit({ merchant }: Kit, tab: Tab): Promise<void> {
  const status = (await tab.goto(merchant.form))?.status()
  expect(status === 200, `the page of the form answered ${status}`)
}

/** Fills in the fields as a visitor would. */
export async function fillIn(tab: Tab, fields: Record<string, string>): Promise<void> {
  for (const [name, value] of Object.entries(fields)) {
    const control = tab.locator(`form:has(.svc-captcha) [name=${JSON.stringify(name)}]`)
    const kind = await control.first().evaluate((each) => `${each.tagName} ${each.getAttribute('type') ?? ''}`)
    if (/radio|checkbox/i.test(kind))
      await control
        .and(tab.locator(`[value=${JSON.stringify(value)}]`))
        .first()
        .check()
    else if (kind.startsWith('SELECT')) await control.first().selectOption(value)
    else await control.first().fill(value)
  }
}
