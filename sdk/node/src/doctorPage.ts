import { isOf, uuid } from './grammars.ts'
import { isInsecure } from './url.ts'

/** One result. `error`: visitors cannot pass, or anyone can. `fix` says what to change, `docs` is an address of the documentation. */
export interface Check {
  check: string
  status: 'ok' | 'warning' | 'error' | 'skipped'
  message: string
  fix?: string
  docs?: string
}

/** A result. */
export const found = (check: string, status: Check['status'], message: string, fix?: string, docs?: string): Check => ({
  check,
  status,
  message,
  ...(fix !== undefined && { fix }),
  ...(docs !== undefined && { docs }),
})

/** A page as an anonymous visitor gets it. `policies`: its Content Security Policies, of the header and of its HTML. */
export type Loaded = { url: URL; headers: Headers; boxes: Record<string, string>[]; policies: string[] }

const TIMEOUT_MS = 10_000
/** What a browser does not render. */
const UNUSED = /<!--[\s\S]*?-->|<(script|style|template|noscript)\b[\s\S]*?<\/\1\s*>/gi
const TAGS = /<[a-z][^>]*\sclass=(?:"[^"]*\bsvc-captcha\b[^"]*"|'[^']*\bsvc-captcha\b[^']*'|svc-captcha\b)[^>]*>/gi
const ATTRIBUTES = /\s([a-z-]+)=(?:"([^"]*)"|'([^']*)'|([^\s>]+))/gi

/** The page, loaded twice; why not, if it could not be loaded. */
export async function loadPage(page: string): Promise<readonly [Loaded, Loaded] | Check> {
  try {
    return [await load(page), await load(page)]
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
    const reason = cause instanceof Error ? cause.message : String(cause)
    const fix = 'Check the address, and that this machine may reach it.'
    return found('page', 'error', `${page} could not be loaded: ${reason}`, fix, 'troubleshooting')
  }
}

/**
 * Checks a page with the form that was loaded twice: the elements, their keys and endpoints, that each visitor gets an intent of
 * their own, and that the page's policy allows the component. `sitekey`: of the secret's site, if it is known.
 */
export function examinePage(base: string, pages: readonly [Loaded, Loaded], sitekey?: string): Check[] {
  const [first] = pages
  const policy = examinePolicy(base, first)
  if (first.boxes.length === 0) {
    const message = `${first.url.href} has no element with the class svc-captcha in its HTML.`
    const fix = 'Add it to the form. If a script of the page calls render(), nothing has to be changed.'
    return [found('page', 'warning', message, fix, 'component'), policy]
  }
  const elements = first.boxes.map((box) => examineElement(base, first, box, sitekey))
  const worst = (['error', 'warning', 'ok'] as const).flatMap((status) =>
    elements.filter((each) => each.status === status),
  )
  return [...worst.slice(0, 1), examineCache(...pages), policy]
}

async function load(page: string): Promise<Loaded> {
  const reply = await fetch(page, {
    headers: { accept: 'text/html', 'cache-control': 'max-age=0' },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  if (!reply.ok) throw new Error(`it answered ${reply.status}`)
  const html = (await reply.text()).replaceAll(UNUSED, '')
  const boxes = [...html.matchAll(TAGS)].map(([tag]) => attributesOf(tag))
  const metas = [...html.matchAll(/<meta\s[^>]*>/gi)].map(([tag]) => attributesOf(tag))
  const policies = metas.filter((meta) => meta['http-equiv']?.toLowerCase() === 'content-security-policy')
  return {
    url: new URL(reply.url),
    headers: reply.headers,
    boxes,
    policies: [
      ...(reply.headers.get('content-security-policy')?.split(',') ?? []),
      ...policies.map(({ content = '' }) => content),
    ],
  }
}

const attributesOf = (tag: string): Record<string, string> =>
  Object.fromEntries(
    [...tag.matchAll(ATTRIBUTES)].map(([, name = '', quoted, single, bare]) => [
      name.toLowerCase(),
      (quoted ?? single ?? bare ?? '').replaceAll('&#39;', "'").replaceAll('&quot;', '"').replaceAll('&amp;', '&'),
    ]),
  )

function examineElement(base: string, { url }: Loaded, box: Record<string, string>, sitekey?: string): Check {
  const check = 'element'
  const error = (message: string, fix: string, docs: string) => found(check, 'error', message, fix, docs)
  const { 'data-sitekey': key = '', 'data-intent': intent = '', 'data-endpoint': address = '' } = box
  const missing = ['data-sitekey', 'data-intent', 'data-endpoint'].filter((name) => !box[name])
  if (missing.length > 0)
    return error(`The element lacks ${missing.join(', ')}.`, 'Set the attributes.', 'errors#missing-option')
  if (sitekey !== undefined && key !== sitekey)
    return error(
      `The element’s site key is ${key}, and the secret is of the site ${sitekey}.`,
      `Set data-sitekey to ${sitekey}, or use the secret of ${key}.`,
      'errors#sitekey',
    )
  if (!isOf(uuid, intent))
    return error(
      `The element’s data-intent is "${intent}", which is no intent’s id.`,
      'Set it to the intent_id that POST /intents returned.',
      'errors#intent_id',
    )
  const endpoint = addressOf(address, url)
  if (endpoint === undefined || !/^https?:/.test(endpoint))
    return error(
      `The element’s data-endpoint is "${address}", which is no http or https address.`,
      `Set data-endpoint to ${base}, with its scheme.`,
      'errors#network',
    )
  if (endpoint.startsWith('http:') && url.protocol === 'https:' && isInsecure(endpoint))
    return error(
      `A page of ${url.origin} cannot call the endpoint ${address}: browsers block http in https pages.`,
      'Set data-endpoint to the https address of the service.',
      'errors#network',
    )
  const compared =
    sitekey === undefined ? ' The site key was not compared, because no intent could be opened with the secret.' : ''
  // a path of the page's own origin leads to the service through a proxy
  if (endpoint === base || endpoint.startsWith(`${url.origin}/`))
    return found(check, 'ok', `The element has a site key, an intent and an endpoint.${compared}`)
  const message = `The element’s endpoint is ${endpoint}, and the backend’s is ${base}.${compared}`
  return found(
    check,
    'warning',
    message,
    'Use one address for both, unless they lead to the same service.',
    'component',
  )
}

function addressOf(text: string, page: URL): string | undefined {
  try {
    return new URL(text, page).href.replace(/\/+$/, '')
  } catch {
    return undefined
  }
}

/** The same intent for two visitors: the page came from a cache, or the intent is opened once for all. */
function examineCache(first: Loaded, second: Loaded): Check {
  const docs = 'troubleshooting#in-the-page'
  const intents = new Set(second.boxes.map((box) => box['data-intent']))
  if (first.boxes.some((box) => box['data-intent'] && intents.has(box['data-intent']))) {
    const fix = 'Open an intent for each visitor, and send the page with Cache-Control: no-store.'
    const message = 'Two visitors got the same intent, and only one of them can submit the form.'
    return found('cache', 'error', message, fix, docs)
  }
  if (/\bno-store\b/.test(first.headers.get('cache-control') ?? ''))
    return found('cache', 'ok', 'Each visitor gets an intent of their own, and the page is not stored.')
  const message = 'The page may be stored by caches, which then give several visitors the same intent.'
  return found('cache', 'warning', message, 'Send it with Cache-Control: no-store.', docs)
}

function examinePolicy(base: string, { url, policies }: Loaded): Check {
  if (policies.length === 0) return found('policy', 'ok', 'The page has no Content-Security-Policy.')
  const needed = { 'script-src': `${base}/widget.js`, 'connect-src': `${base}/challenge` }
  const refused = Object.entries(needed)
    .filter(([name, address]) => !policies.every((policy) => permits(policy, name, new URL(address), url)))
    .map(([name]) => name)
    .join(' and ')
  if (refused === '') return found('policy', 'ok', 'The page’s policy allows the component.')
  const message = `The page’s Content-Security-Policy blocks the component: ${refused}.`
  const fix = `Add ${new URL(base).origin} to ${refused}.`
  return found('policy', 'error', message, fix, 'component#content-security-policy')
}

/** Whether one policy may let the page load the address under the directive. */
function permits(policy: string, directive: string, address: URL, page: URL): boolean {
  const directives = policy.split(';').map((text) => text.trim().split(/\s+/))
  // of two directives of a name, the first counts
  const [, ...sources] = directives.find(([name = '']) => name.toLowerCase() === directive) ??
    directives.find(([name = '']) => name.toLowerCase() === 'default-src') ?? ['', '*']
  // a nonce or a hash can allow the script
  const isTrusted = (source: string) => /^'(?:nonce|sha\d+)-|^'strict-dynamic'$/i.test(source)
  return sources.some((source) => allows(source, address, page) || (directive === 'script-src' && isTrusted(source)))
}

/** Whether a source of a directive contains the address. */
function allows(source: string, address: URL, page: URL): boolean {
  const text = source.toLowerCase()
  const isScheme = (scheme: string) =>
    scheme === address.protocol || (scheme === 'http:' && address.protocol === 'https:')
  if (text === '*' || (/^https?:$/.test(text) && isScheme(text))) return true
  if (text === "'self'") return address.origin === page.origin
  const [, scheme, wildcard, host, port, path = ''] =
    /^(?:(https?:)\/\/)?(\*\.)?([^/:]+)(?::(\d+|\*))?(\/[^?#]*)?$/.exec(text) ?? []
  const isHost = wildcard ? address.hostname.endsWith(`.${host}`) : address.hostname === host
  const isPort = port === '*' || (port ?? '') === address.port
  const isPath = path.endsWith('/') ? address.pathname.startsWith(path) : path === '' || address.pathname === path
  return isHost && isPort && isPath && (scheme === undefined || isScheme(scheme))
}
