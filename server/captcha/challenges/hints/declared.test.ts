import { expect, test } from 'vitest'
import { hintsOfHeaders } from './declared.ts'

const CHROME = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36'
const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:132.0) Gecko/20100101 Firefox/132.0'
const SAFARI =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.6 Safari/605.1.15'
const origin = 'https://shop.example'
const FETCHED = { origin, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' }
const BRANDS = '"Google Chrome";v="131", "Chromium";v="131", "Not_A Brand";v="24"'

/** As old as or older than the versions that send the headers, or not one of the browsers that do. */
const UNKNOWN = [
  '',
  'Mozilla/5.0 (Windows NT 6.1; WOW64; Trident/7.0; rv:11.0) like Gecko',
  'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/79.0.3945.88 Safari/537.36',
  'Mozilla/5.0 (Windows NT 6.1; rv:52.0) Gecko/20100101 Firefox/52.0',
  'Mozilla/5.0 (X11; Linux x86_64; rv:89.0) Gecko/20100101 Firefox/89.0',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/16.3 Safari/605.1.15',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 12_5_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/12.1.2 Mobile/15E148 Safari/604.1',
  // the browser of an app, which has a word of its own or lacks one
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 Instagram 330.0',
  'Mozilla/5.0 (Linux; Android 14; Pixel 7; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/115.0.0.0 Mobile Safari/537.36',
  'Mozilla/5.0 (Linux; Android 13; SM-S901B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/23.0 Chrome/115.0.0.0 Mobile Safari/537.36',
  'Mozilla/5.0 (Linux; U; Android 10; en-US) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/100.0.4896.58 UCBrowser/13.6.0 Mobile Safari/537.36',
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36 OPR/106.0.0.0',
  'Mozilla/5.0 (PlayStation; PlayStation 5/2.26) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/13.0 Safari/605.1.15',
  'Mozilla/5.0 (X11; CrOS armv7l 15054.0.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Electron/33.0.0 Safari/537.36',
  'Lynx/2.9.0dev.12 libwww-FM/2.14 SSL-MM/1.4.1',
  'w3m/0.5.3+git20230121',
]

/** As these browsers send them, with every header. */
const PEOPLE: Record<string, string>[] = [
  { 'user-agent': CHROME, ...FETCHED, 'sec-ch-ua': BRANDS },
  { 'user-agent': `${CHROME} Edg/131.0.0.0`, ...FETCHED, 'sec-ch-ua': '"Microsoft Edge";v="131"' },
  {
    'user-agent':
      'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36',
    ...FETCHED,
    'sec-ch-ua': BRANDS,
  },
  // no client hints yet, or an enterprise that had turned them off
  { 'user-agent': CHROME.replace('131.0.0.0', '88.0.4324.182'), ...FETCHED },
  { 'user-agent': CHROME.replace('131.0.0.0', '93.0.4577.63'), ...FETCHED },
  { 'user-agent': FIREFOX, ...FETCHED },
  { 'user-agent': 'Mozilla/5.0 (Android 14; Mobile; rv:131.0) Gecko/131.0 Firefox/131.0', ...FETCHED },
  { 'user-agent': SAFARI, ...FETCHED },
  {
    'user-agent':
      'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/126.0.6478.54 Mobile/15E148 Safari/604.1',
    ...FETCHED,
  },
]

const TOOLS = [
  'curl/8.5.0',
  'Wget/1.21.4',
  'python-requests/2.32.3',
  'Python/3.12 aiohttp/3.9.5',
  'aiohttp/3.9.5',
  'python-httpx/0.27.0',
  'Python-urllib/3.12',
  'Go-http-client/2.0',
  'node',
  'undici',
  'node-fetch/1.0 (+https://github.com/bitinn/node-fetch)',
  'axios/1.7.2',
  'got (https://github.com/sindresorhus/got)',
  'okhttp/4.12.0',
  'Java/17.0.10',
  'Java-http-client/21.0.2',
  'Apache-HttpClient/4.5.14 (Java/17.0.10)',
  'libwww-perl/6.77',
  'GuzzleHttp/7',
  'PostmanRuntime/7.39.0',
  'Scrapy/2.11.2 (+https://scrapy.org)',
  'Deno/1.44.0',
  'Bun/1.1.12',
  'Mozilla/5.0 (Unknown; Linux x86_64) AppleWebKit/538.1 (KHTML, like Gecko) PhantomJS/2.1.1 Safari/538.1',
  'Mozilla/5.0 (linux) AppleWebKit/537.36 (KHTML, like Gecko) jsdom/24.1.0',
  'Mozilla/5.0 (Windows NT; Windows NT 10.0; en-US) WindowsPowerShell/5.1.22621.2506',
  CHROME.replace('Chrome/', 'HeadlessChrome/'),
  `${CHROME} Playwright/1.45`,
]

test('a complete request of a current browser has no hint', () => {
  for (const headers of PEOPLE)
    expect([headers['user-agent'], hintsOfHeaders(headers)]).toEqual([headers['user-agent'], []])
})

test('a browser that is old or unknown has no hint, whatever it does not send', () => {
  for (const agent of UNKNOWN) expect([agent, hintsOfHeaders({ 'user-agent': agent, origin })]).toEqual([agent, []])
  expect(hintsOfHeaders({ origin })).toEqual([])
})

test('tools that name themselves are declared automation', () => {
  for (const agent of TOOLS)
    expect([agent, hintsOfHeaders({ 'user-agent': agent, ...FETCHED, 'sec-ch-ua': BRANDS })]).toEqual([
      agent,
      ['automation'],
    ])
  // a changed User-Agent does not change the client hints
  expect(hintsOfHeaders({ 'user-agent': CHROME, ...FETCHED, 'sec-ch-ua': '"HeadlessChrome";v="131"' })).toEqual([
    'automation',
  ])
})

test('a browser without a header that it always sends is noticed, on https only', () => {
  const lacking = (headers: Record<string, string>, name: string) =>
    Object.fromEntries(Object.entries(headers).filter(([header]) => header !== name))
  for (const agent of [CHROME, FIREFOX, SAFARI])
    for (const name of ['sec-fetch-site', 'sec-fetch-mode', 'sec-fetch-dest']) {
      const headers = lacking({ 'user-agent': agent, ...FETCHED, 'sec-ch-ua': BRANDS }, name)
      expect(hintsOfHeaders(headers)).toEqual(['headers'])
      expect(hintsOfHeaders({ ...headers, origin: 'http://shop.example' })).toEqual([])
    }
  expect(hintsOfHeaders({ 'user-agent': CHROME, ...FETCHED })).toEqual(['headers'])
  expect(hintsOfHeaders({ 'user-agent': FIREFOX, ...FETCHED })).toEqual([])
})
