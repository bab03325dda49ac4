import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page as Tab } from 'playwright-core'
import { expect, under } from '../check.ts'
import { alter, type Kit } from '../kit.ts'
import type { Attempt, Probe } from '../probe.ts'
import { fillIn, visit, withTab } from './works.ts'

const NOTHING = 'not executed, not answered with the success page'
const FIX =
  'Execute the action only after a 200 of /siteverify whose success is true, whose assessment is "passed" and whose intent_id, action and hostname are your record’s.'

/** How long the answer is held back; a backend waits 5 seconds. */
const HELD_MS = 500

/** Texts without the form of a token, and texts with only the form. */
const WRONG_TOKENS: [name: string, token: string | undefined][] = [
  ['without the token field', undefined],
  ['with an empty token', ''],
  ['with a reCAPTCHA token', `03AGdBq2${'5x_k'.repeat(80)}`],
  [
    'with an hCaptcha token',
    `P1_${Buffer.from('{"typ":"JWT","alg":"HS256"}').toString('base64url')}.e30.${'a'.repeat(43)}`,
  ],
  ['with a Turnstile test token', 'XXXX.DUMMY.TOKEN.XXXX'],
  ['with a made-up token of the right shape', `tgr_${randomBytes(90).toString('base64url')}`],
  ['with a token of 10 kB', `tgr_${'A'.repeat(10_236)}`],
]

/** Scripts to run in the page, with `widget`, its `form` and a made-up `token` in scope. */
const CHEATS: [name: string, script: string][] = [
  [
    'call the component’s callback and fire svc-captcha:solved',
    `const callback = window[widget.dataset.callback]
    if (typeof callback === 'function') callback(token)
    const detail = { response: token, token }
    widget.dispatchEvent(new CustomEvent('svc-captcha:solved', { bubbles: true, detail }))`,
  ],
  [
    'set the token field by hand and remove the component',
    `const name = widget.dataset.responseFieldName ?? 'svc-captcha-response'
    widget.remove()
    for (const field of form.querySelectorAll('[name="' + name + '"]')) field.remove()
    const field = document.createElement('input')
    Object.assign(field, { type: 'hidden', name, value: token })
    form.append(field)`,
  ],
  [
    'remove the component and its script',
    `widget.remove()
    for (const script of document.querySelectorAll('script')) script.remove()`,
  ],
]

/** 1. Missing, forged or expired tokens, or only invoking the client callback. */
export const FORGED = under<Probe>(1, [
  ...WRONG_TOKENS.map(
    ([name, token]): Attempt => ({
      name: `submit ${name}`,
      expected: NOTHING,
      fix: FIX,
      run: async (kit) => {
        const opened = await kit.open()
        kit.expectRefused(await kit.expectExecuted(0, () => kit.submit(opened, { token })))
      },
    }),
  ),
  {
    name: 'submit a real token with one character changed',
    expected: NOTHING,
    fix: FIX,
    run: async (kit) => {
      const opened = await kit.earn()
      const token = alter(opened.token)
      kit.expectRefused(await kit.expectExecuted(0, () => kit.submit(opened, { token })))
    },
  },
  {
    name: 'submit a real token, and look while /siteverify has not answered yet',
    expected: 'not executed before the answer, executed once after it',
    fix: 'Redeem first, then execute. What is executed before and undone after a refusal has happened.',
    run: async (kit) => {
      const opened = await kit.earn()
      const before = await kit.merchant.executed()
      let early = 0
      const end = kit.relay.watch(async ({ path }) => {
        if (path !== '/siteverify') return
        await sleep(HELD_MS)
        early = (await kit.merchant.executed()) - before
      })
      kit.expectSuccess(await kit.expectExecuted(1, () => kit.submit(opened, opened)).finally(end))
      expect(early === 0, 'the action was executed while /siteverify had not answered yet')
    },
  },
  ...(['expired', 'spent'] as const).map(
    (keys): Attempt => ({
      name:
        keys === 'expired'
          ? 'submit a token that has expired (test key TESTexpired)'
          : 'submit a token that was redeemed before (test key TESTspent)',
      expected: NOTHING,
      fix: 'A 409 of /siteverify is a refusal: execute nothing and show a fresh form with what was typed.',
      keys,
      run: async (kit) => {
        const opened = await kit.earn()
        kit.expectRefused(await kit.expectExecuted(0, () => kit.submit(opened, opened)))
      },
    }),
  ),
  {
    name: 'submit a real token 301 seconds after the form was opened',
    expected: NOTHING,
    fix: 'A 409 of /siteverify is a refusal: execute nothing and show a fresh form with what was typed.',
    needs: 'slow',
    run: async (kit) => {
      const opened = await kit.earn()
      await sleep(301_000)
      kit.expectRefused(await kit.expectExecuted(0, () => kit.submit(opened, opened)))
    },
  },
  ...CHEATS.map(
    ([name, script]): Attempt => ({
      name: `in the browser, ${name}, then send the form`,
      expected: 'not executed',
      fix: 'What happens in the browser authorises nothing. Let callbacks change the page only, and redeem the token in your backend.',
      needs: 'browser',
      run: (kit) => kit.expectExecuted(0, () => withTab(kit, (tab) => cheat(kit, tab, script))),
    }),
  ),
  {
    name: 'everything above: calls of /siteverify without a token',
    expected: 'none: without a token there is nothing to ask',
    fix: 'Check that the form carries a token of the form tgr_… before you call /siteverify.',
    last: true,
    run: async ({ relay }) => {
      const empty = relay.calls.filter(({ path, fields }) => path === '/siteverify' && !fields['response'])
      expect(empty.length === 0, `${empty.length} calls of /siteverify without a token`)
    },
  },
])

async function cheat(kit: Kit, tab: Tab, script: string): Promise<void> {
  // the component must not finish meanwhile
  await tab.route(/\/(challenge|solve)$/, (route) => route.abort())
  await visit(kit, tab)
  await fillIn(tab, kit.merchant.fields)
  const { origin } = new URL(kit.merchant.form)
  await Promise.all([
    tab.waitForResponse((reply) => reply.request().method() === 'POST' && reply.url().startsWith(origin)),
    tab.evaluate(`{
      const token = 'tgr_' + 'B'.repeat(120)
      const widget = document.querySelector('.svc-captcha')
      const form = widget.closest('form')
      ${script}
      // after this script has returned, because leaving the page would lose its result
      setTimeout(() => HTMLFormElement.prototype.submit.call(form))
    }`),
  ])
}
