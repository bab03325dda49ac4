import type { IncomingHttpHeaders } from 'node:http'
import { FACTS_HEADER, HINTS, type Hint } from '../../../contract/hints.ts'

/** Libraries and tools whose User-Agent begins with their name, in lower case. */
const TOOLS = [
  'aiohttp',
  'apache-httpclient',
  'axios',
  'bun',
  'curl',
  'deno',
  'faraday',
  'go-http-client',
  'got',
  'grequests',
  'guzzlehttp',
  'httpie',
  'insomnia',
  'java',
  'java-http-client',
  'k6',
  'libcurl',
  'libwww-perl',
  'mechanize',
  'node',
  'node-fetch',
  'node.js',
  'okhttp',
  'postmanruntime',
  'python',
  'python-httpx',
  'python-requests',
  'python-urllib',
  'python-urllib3',
  'reqwest',
  'ruby',
  'scrapy',
  'undici',
  'wget',
]
const BEGINS = new RegExp(String.raw`^(?:${TOOLS.join('|').replaceAll('.', String.raw`\.`)})(?:[/ (]|$)`, 'i')

/** Names of automated browsers, which stand anywhere in a User-Agent or in the brands of the client hints. */
const BROWSERS =
  /\b(?:HeadlessChrome|HeadlessShell|PhantomJS|SlimerJS|HtmlUnit|jsdom|Puppeteer|Playwright|Selenium|WebDriver|Cypress|Nightmare|WindowsPowerShell)\b/i

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
  const brands = String(headers['sec-ch-ua'] ?? '').slice(0, LONGEST)
  const hints: Hint[] = []
  if (BEGINS.test(agent) || BROWSERS.test(agent) || BROWSERS.test(brands)) hints.push('automation')
  if (headers.origin?.startsWith('https://') && lacksHeader(agent, headers)) hints.push('headers')
  return hints
}

const lacksHeader = (agent: string, headers: IncomingHttpHeaders): boolean =>
  ALWAYS.some(({ browser, since, headers: sent }) => {
    const version = Number(browser.exec(agent)?.[1] ?? 0)
    return version >= since && sent.some((name) => headers[name] === undefined)
  })

/** What the component can say. It can only raise the difficulty of its own network, so false facts gain nothing. */
const FACTS: readonly Hint[] = ['webdriver', 'idle', 'honeypot']
const LONGEST_FACTS = 100

/** The facts that the component sent. Unknown names are ignored, and so is what comes after 100 characters. */
export function hintsOfFacts(headers: IncomingHttpHeaders): Hint[] {
  const sent = headers[FACTS_HEADER]
  if (sent === undefined) return []
  const parts = String(sent).slice(0, LONGEST_FACTS).split(',')
  const names = new Set(parts.map((name) => name.trim()))
  return FACTS.filter((hint) => names.has(hint))
}

/** The hints of these lists, each once, in the order of all. */
export const union = (...lists: readonly (readonly Hint[])[]): Hint[] =>
  HINTS.filter((hint) => lists.some((list) => list.includes(hint)))
