import { parse } from 'node-html-parser'
import { expect, under } from '../check.ts'
import type { Kit } from '../kit.ts'
import { type Page, protectedForm } from '../page.ts'
import { findPiece, type Owned, type Pieces, piecesOf } from '../pieces.ts'
import type { Attempt, Probe } from '../probe.ts'

const LOG_FIX =
  'Log event names, error codes, request ids and the ids of attempts; never request bodies, headers, or the messages of errors that quote them.'

/** 6. Logs without secret, token or session; and other places where they must not be. */
export const LOGS = under<Probe>(6, [
  ...(['/intents', '/siteverify'] as const).map(
    (path): Attempt => ({
      name: `${path} redirects to another address, which answers like the service`,
      expected: 'not followed: nothing is sent there, and its answer counts for nothing',
      fix: 'Turn off the redirects of your HTTP client for these calls, and treat a 3xx as a failure.',
      run: (kit) => redirect(kit, path),
    }),
  ),
  search('secret key', ({ recorded }) => own(recorded.secrets)),
  search('token', ({ recorded }) => own(recorded.tokens)),
  search('session: no cookie’s value, and no hash of a session as it is sent to /intents', ({ recorded, relay }) => [
    ...recorded.sessions,
    ...own(relay.calls.flatMap(({ fields }) => (typeof fields['session'] === 'string' ? [fields['session']] : []))),
  ]),
  {
    name: 'search every page for the secret key',
    expected: 'it is in none, nor is a part of it, in any encoding',
    fix: 'The page needs the site key only. A secret that was in a page must be rotated.',
    last: true,
    run: async ({ recorded }) => {
      const leak = findInPages(recorded.pages, piecesOf(own(recorded.secrets), recorded.sitekeys))
      expect(leak === undefined, `a part of the secret is in the page ${leak}`)
      return `${recorded.pages.length} pages`
    },
  },
  {
    name: 'search every page, address and cookie for idempotency keys',
    expected: 'they are in none: the key stays in the record of the attempt',
    fix: 'Store the key with the attempt, and give the page only the attempt’s id.',
    last: true,
    run: async ({ recorded, relay }) => {
      const redeemed = relay.calls.filter(({ path }) => path === '/siteverify')
      const values = new Set(redeemed.map(({ fields }) => String(fields['idempotency_key'])))
      const leak = findInPages(recorded.pages, piecesOf(own(values)))
      expect(leak === undefined, `a part of an idempotency key is in the page ${leak}`)
    },
  },
  {
    name: 'search every address for tokens',
    expected: 'they are in none: addresses are logged, kept in histories and sent as referrer',
    fix: 'Send the form by POST, and redirect to an address with the attempt’s id only.',
    last: true,
    run: async ({ recorded }) => {
      const pieces = piecesOf(own(recorded.tokens))
      const leak = recorded.pages.find(({ url, locations }) => findPiece([url, ...locations].join(' '), pieces))
      expect(leak === undefined, 'an address carries a token')
    },
  },
  {
    name: 'type HTML into the fields of the form and of its address, without a token',
    expected: 'it is shown as text: code in the page could read tokens and act as the visitor',
    fix: 'Escape every value that a page shows, as the templates of frameworks do.',
    run: async (kit) => {
      const opened = await kit.open()
      const markup = (quote: string) => `${quote}><b data-typed="yes">x</b>`
      for (const quote of ['"', "'"]) {
        const fields = Object.fromEntries(Object.keys(kit.merchant.fields).map((name) => [name, markup(quote)]))
        const address = new URL(kit.merchant.form)
        address.search = new URLSearchParams(fields).toString()
        const pages = await kit.expectExecuted(0, async () => [
          await kit.submit(opened, { fields }),
          await opened.visitor.open(address.href),
        ])
        const isRun = pages.some(({ headers, body }) => !isText(headers) && parse(body).querySelector('[data-typed]'))
        expect(!isRun, 'a page has an element that was typed into a field')
      }
    },
  },
  {
    name: 'look at the headers of every page that carries an intent',
    expected: 'Cache-Control: no-store, so that no cache gives one visitor’s intent to another',
    fix: 'Send “Cache-Control: no-store” with every page that has the component.',
    last: true,
    run: async ({ recorded }) => {
      const shown = recorded.pages.filter(({ body }) => /data-intent=/.test(body))
      expect(shown.length > 0, 'no page with an intent was seen')
      const cached = shown.find(({ headers }) => !/\bno-store\b/i.test(String(headers['cache-control'])))
      expect(cached === undefined, `${cached?.url} has Cache-Control: ${String(cached?.headers['cache-control'])}`)
    },
  },
  {
    name: 'look at every call to the service for the secret key',
    expected: 'it is in the Authorization header and nowhere else',
    fix: 'Send “Authorization: Bearer <secret>”. A body or an address is logged on its way.',
    last: true,
    run: async ({ relay, recorded }) => {
      expect(relay.calls.length > 0, 'the merchant made no call')
      const pieces = piecesOf(own(recorded.secrets), recorded.sitekeys)
      for (const { path, authorization, body } of relay.calls) {
        expect(!findPiece(body, pieces), `the body or address of a call of ${path} carries the secret`)
        const [scheme = '', value = ''] = authorization?.split(/ +/) ?? []
        expect(
          /^bearer$/i.test(scheme) && recorded.secrets.has(value),
          `a call of ${path} has no Authorization: Bearer <secret>`,
        )
      }
      return `${relay.calls.length} calls`
    },
  },
])

const isText = (headers: Page['headers']): boolean => /json|text\/plain/.test(String(headers['content-type']))

/** Values that belong to nobody else. */
const own = (values: Iterable<string>): Owned[] => [...values].map((value) => [value, value])

function search(what: string, values: (kit: Kit) => Owned[]): Attempt {
  return {
    name: `search everything that was logged for the ${what}`,
    expected: 'not there, nor is a part of 12 characters, in any encoding',
    fix: LOG_FIX,
    last: true,
    run: async (kit) => {
      const wanted = values(kit)
      const pieces = piecesOf(wanted, kit.recorded.sitekeys)
      const { logs } = kit.recorded
      const found = findPiece(logs, pieces)
      const line = logs.slice(0, found?.at).split('\n')
      const before = kit.mask(line.at(-1)?.slice(-60) ?? '')
      expect(
        found === undefined,
        `line ${line.length} of the log has a part of it, ${found?.encoding}, after “${before}”`,
      )
      return logs.length === 0
        ? 'the merchant logged nothing: is `logs` of the adapter right?'
        : `${logs.length} characters, ${wanted.length} values`
    },
  }
}

/** The address of the first page that has a piece in its address, headers or body. */
const findInPages = (pages: readonly Page[], pieces: Pieces): string | undefined =>
  pages.find(({ url, locations, headers, body }) =>
    findPiece([url, ...locations, JSON.stringify(headers), body].join(' '), pieces),
  )?.url

async function redirect(kit: Kit, path: '/intents' | '/siteverify'): Promise<void> {
  const { relay, recorded } = kit
  const token = kit.inventToken()
  const opened = path === '/siteverify' ? await kit.open() : undefined
  for (const status of [301, 302, 303, 307, 308]) {
    const before = relay.strays.length
    const heal = kit.spoil(path, { kind: 'redirect', reaches: false, status })
    const { value: page, executed } = await kit.counting(() =>
      opened ? kit.submit(opened, { token }) : kit.openPage(kit.newVisitor()),
    )
    heal()
    const stray = relay.strays
      .slice(before)
      .find((text) => findPiece(text, piecesOf(own([...recorded.secrets, token]))))
    expect(stray === undefined, `after ${status}, the other address got the secret or the token`)
    expect(relay.strays.length === before, `${status} was followed: the other address got a request`)
    expect(executed === 0, `after ${status}, the action was executed`)
    if (opened) kit.expectRefused(page)
    else expect(protectedForm(page) === undefined, `after ${status}, a form with the component is shown`)
  }
}
