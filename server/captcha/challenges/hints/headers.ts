import type { IncomingHttpHeaders } from 'node:http'
import type { Hint } from '../difficulty/hints.ts'
import { declaresAutomation } from './agents.ts'

/**
 * The complete User-Agent of Chrome and Edge, of Firefox and of Safari. A browser that adds a word of its own is unknown, and
 * so is the WebView of an Android app, which sends client hints only since version 117.
 */
const CHROMIUM =
  /^Mozilla\/5\.0 \([^()]*\) AppleWebKit\/537\.36 \(KHTML, like Gecko\) Chrome\/(\d+)[\d.]*(?: Mobile)? Safari\/537\.36(?: EdgA?\/[\d.]+)?$/
const FIREFOX = /^Mozilla\/5\.0 \([^()]*\) Gecko\/[\d.]+ Firefox\/(\d+)[\d.]*$/
const SAFARI =
  /^Mozilla\/5\.0 \((?:Macintosh|iPhone|iPad)[^()]*\) AppleWebKit\/[\d.]+ \(KHTML, like Gecko\) Version\/(\d+\.\d+)[\d.]*(?: Mobile\/\w+)? Safari\/[\d.]+$/

const FETCH_METADATA = ['sec-fetch-site', 'sec-fetch-mode', 'sec-fetch-dest'] as const

/** The headers that a browser sends with each request to a trustworthy origin, from this version on. */
const ALWAYS: readonly { browser: RegExp; since: number; headers: readonly string[] }[] = [
  { browser: CHROMIUM, since: 80, headers: FETCH_METADATA },
  // an enterprise policy could turn them off until version 93
  { browser: CHROMIUM, since: 94, headers: ['sec-ch-ua'] },
  { browser: FIREFOX, since: 90, headers: FETCH_METADATA },
  { browser: SAFARI, since: 16.4, headers: FETCH_METADATA },
]

/** Headers are refused above 16 kB in all; no browser's User-Agent is longer than this. */
const LONGEST = 512

/**
 * What the headers of a request of the component say about its client. Browsers send `Sec-Fetch-*` and client hints only to
 * potentially trustworthy origins (Fetch Metadata, section 3), and a page on https can only call such ones. So nothing is
 * expected of a page on http, and nothing of browsers that are old or not in the table.
 */
export function hintsOfHeaders(headers: IncomingHttpHeaders): Hint[] {
  const agent = (headers['user-agent'] ?? '').slice(0, LONGEST)
  const hints: Hint[] = []
  if (declaresAutomation(agent, String(headers['sec-ch-ua'] ?? '').slice(0, LONGEST))) hints.push('automation')
  if (headers.origin?.startsWith('https://') && lacksHeader(agent, headers)) hints.push('headers')
  return hints
}

const lacksHeader = (agent: string, headers: IncomingHttpHeaders): boolean =>
  ALWAYS.some(({ browser, since, headers: sent }) => {
    const version = Number(browser.exec(agent)?.[1] ?? 0)
    return version >= since && sent.some((name) => headers[name] === undefined)
  })
