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

/** Whether the User-Agent, or the brands in `Sec-CH-UA`, name a tool instead of a browser that a person uses. */
export const declaresAutomation = (userAgent: string, brands: string): boolean =>
  BEGINS.test(userAgent) || BROWSERS.test(userAgent) || BROWSERS.test(brands)
