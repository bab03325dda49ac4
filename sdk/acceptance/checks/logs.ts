import { expect } from '../expect.ts'
import type { Kit } from '../kit.ts'
import { type Probe } from '../probe.ts'

const LOG_FIX =
  'Log event names, error codes, request ids and the ids of attempts; never request bodies, headers, or the messages of errors that quote them.'

/** 6. Logs without secret, token or session; and other places where they must not be. */
export const LOGS: Probe[] = [
  search('secret key', ({ recorded }) => recorded.secrets),
  search('token', ({ recorded, relay }) => [
    ...recorded.tokens,
    ...relay.calls.flatMap(({ path, fields }) =>
      path === '/siteverify' && String(fields['response']).length >= 16 ? [String(fields['response'])] : [],
    ),
  ]),
  search('session: no cookie’s value, and no hash of a session as it is sent to /intents', ({ recorded, relay }) => [
    ...recorded.sessions,
    ...relay.calls.flatMap(({ fields }) => (typeof fields['session'] === 'string' ? [fields['session']] : [])),
  ]),
  {
    check: 6,
    name: 'search every page for the secret key',
    expected: 'it is in none',
    fix: 'The page needs the site key only. A secret that was in a page must be rotated.',
    last: true,
    run: async ({ recorded }) => {
      const leak = recorded.pages.find(({ body, headers }) =>
        contains(body + JSON.stringify(headers), recorded.secrets),
      )
      expect(leak === undefined, `the secret is in the page ${leak?.url}`)
      return `${recorded.pages.length} pages`
    },
  },
  {
    check: 6,
    name: 'search every address for tokens',
    expected: 'they are in none: addresses are logged, kept in histories and sent as referrer',
    fix: 'Send the form by POST, and redirect to an address with the attempt’s id only.',
    last: true,
    run: async ({ recorded }) => {
      const leak = recorded.pages.find(({ url, locations }) => contains([url, ...locations].join(' '), recorded.tokens))
      expect(leak === undefined, 'an address carries a token')
    },
  },
  {
    check: 6,
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
    check: 6,
    name: 'look at every call to the service for the secret key',
    expected: 'it is in the Authorization header and nowhere else',
    fix: 'Send “Authorization: Bearer <secret>”. A body or an address is logged on its way.',
    last: true,
    run: async ({ relay, recorded }) => {
      expect(relay.calls.length > 0, 'the merchant made no call')
      for (const { path, authorization, body } of relay.calls) {
        expect(!contains(body, recorded.secrets), `the body or address of a call of ${path} carries the secret`)
        const [scheme = '', value = ''] = authorization?.split(/ +/) ?? []
        expect(
          /^bearer$/i.test(scheme) && recorded.secrets.has(value),
          `a call of ${path} has no Authorization: Bearer <secret>`,
        )
      }
      return `${relay.calls.length} calls`
    },
  },
]

function search(what: string, values: (kit: Kit) => Iterable<string>): Probe {
  return {
    check: 6,
    name: `search everything that was logged for the ${what}`,
    expected: 'not there',
    fix: LOG_FIX,
    last: true,
    run: async (kit) => {
      const wanted = [...values(kit)]
      const lines = kit.recorded.logs.split('\n')
      const line = lines.findIndex((each) => contains(each, wanted))
      expect(line === -1, `line ${line + 1} of the log has it: ${kit.mask(lines[line] ?? '').slice(0, 160)}`)
      const size = lines.join('\n').length
      return size === 0
        ? 'the merchant logged nothing: is `logs` of the adapter right?'
        : `${size} characters, ${wanted.length} values`
    },
  }
}

function contains(text: string, values: Iterable<string>): boolean {
  // a log may contain it URL-encoded
  for (const value of values) if (text.includes(value) || text.includes(encodeURIComponent(value))) return true
  return false
}
