/** One result. `error`: visitors cannot pass, or anyone can. `fix` says what to change, `docs` is an address of the documentation. */
export interface Check {
  check: string
  status: 'ok' | 'warning' | 'error' | 'skipped'
  message: string
  fix?: string
  docs?: string
}

/** A page as an anonymous visitor gets it. */
type Loaded = { url: URL; headers: Headers; html: string; boxes: Record<string, string>[] }

const TIMEOUT_MS = 10_000
const TAGS = /<[a-z][^>]*\sclass=(?:"[^"]*\bsvc-captcha\b[^"]*"|'[^']*\bsvc-captcha\b[^']*'|svc-captcha\b)[^>]*>/gi
const DATA = /\sdata-([a-z-]+)=(?:"([^"]*)"|'([^']*)'|([^\s>]+))/gi

/**
 * Checks a page with the form by loading it twice: the element, its keys and endpoint, that each visitor gets an intent of their
 * own, and that its policy allows the component.
 */
export async function examinePage(base: string, page: string, sitekey?: string): Promise<Check[]> {
  let pages: Loaded[]
  try {
    pages = [await load(page), await load(page)]
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return [
      { check: 'page', status: 'error', message: `${page} could not be loaded: ${reason}`, docs: 'troubleshooting' },
    ]
  }
  const [first, second] = pages as [Loaded, Loaded]
  const [box] = first.boxes
  const policy = examinePolicy(base, first)
  if (!box)
    return [
      {
        check: 'page',
        status: 'warning',
        message: `${page} has no element with the class svc-captcha in its HTML.`,
        fix: 'Add it to the form. If a script of the page calls render(), nothing has to be changed.',
        docs: 'component',
      },
      policy,
    ]
  return [examineElement(base, first, box, sitekey), examineCache(first, second), policy]
}

async function load(page: string): Promise<Loaded> {
  const reply = await fetch(page, {
    headers: { accept: 'text/html', 'cache-control': 'max-age=0' },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  if (!reply.ok) throw new Error(`it answered ${reply.status}`)
  const html = await reply.text()
  const boxes = [...html.matchAll(TAGS)].map(([tag]) =>
    Object.fromEntries(
      [...tag.matchAll(DATA)].map(([, name = '', quoted, single, bare]) => [
        name.toLowerCase(),
        (quoted ?? single ?? bare ?? '').replaceAll('&amp;', '&'),
      ]),
    ),
  )
  return { url: new URL(reply.url), headers: reply.headers, html, boxes }
}

function examineElement(base: string, { url }: Loaded, box: Record<string, string>, sitekey?: string): Check {
  const check = 'element'
  const missing = ['sitekey', 'intent', 'endpoint'].filter((name) => !box[name]).map((name) => `data-${name}`)
  if (missing.length > 0)
    return {
      check,
      status: 'error',
      message: `The element lacks ${missing.join(', ')}.`,
      fix: 'Set the attributes.',
      docs: 'errors#missing-option',
    }
  if (sitekey !== undefined && box['sitekey'] !== sitekey)
    return {
      check,
      status: 'error',
      message: `The element’s site key is ${box['sitekey']}.`,
      fix: `Set data-sitekey to ${sitekey}.`,
      docs: 'errors#sitekey',
    }
  const endpoint = addressOf(box['endpoint'] ?? '', url)
  if (endpoint === undefined || (endpoint.startsWith('http:') && url.protocol === 'https:'))
    return {
      check,
      status: 'error',
      message: `A page of ${url.origin} cannot call the endpoint ${box['endpoint']}.`,
      fix: 'Set data-endpoint to the https address of the service.',
      docs: 'errors#network',
    }
  // a path of the page's own origin leads to the service through a proxy
  return endpoint === base || endpoint.startsWith(`${url.origin}/`)
    ? { check, status: 'ok', message: 'The element has a site key, an intent and an endpoint.' }
    : {
        check,
        status: 'warning',
        message: `The element’s endpoint is ${endpoint}, and the backend’s is ${base}.`,
        fix: 'Use one address for both, unless they lead to the same service.',
        docs: 'component',
      }
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
  const check = 'cache'
  const docs = 'troubleshooting#in-the-page'
  const [one, two] = [first, second].map(({ boxes }) => boxes[0]?.['intent'])
  if (one !== undefined && one === two)
    return {
      check,
      status: 'error',
      message: 'Two visitors got the same intent, and only one of them can submit the form.',
      fix: 'Open an intent for each visitor, and send the page with Cache-Control: no-store.',
      docs,
    }
  if (/\bno-store\b/.test(first.headers.get('cache-control') ?? ''))
    return { check, status: 'ok', message: 'Each visitor gets an intent of their own, and the page is not stored.' }
  return {
    check,
    status: 'warning',
    message: 'The page may be stored by caches, which then give several visitors the same intent.',
    fix: 'Send it with Cache-Control: no-store.',
    docs,
  }
}

function examinePolicy(base: string, { url, headers }: Loaded): Check {
  const check = 'policy'
  const policy = headers.get('content-security-policy')
  if (policy === null) return { check, status: 'ok', message: 'The page sends no Content-Security-Policy header.' }
  const directives = new Map(
    policy.split(/[;,]/).map((directive) => {
      const [name = '', ...sources] = directive.trim().split(/\s+/)
      return [name.toLowerCase(), sources]
    }),
  )
  const refused = ['script-src', 'connect-src'].filter((name) => {
    const sources = directives.get(name) ?? directives.get('default-src')
    return sources !== undefined && !sources.some((source) => allows(source, new URL(base), url))
  })
  return refused.length === 0
    ? { check, status: 'ok', message: 'The page’s policy allows the component.' }
    : {
        check,
        status: 'error',
        message: `The page’s Content-Security-Policy blocks the component: ${refused.join(' and ')}.`,
        fix: `Add ${new URL(base).origin} to ${refused.join(' and ')}.`,
        docs: 'component#content-security-policy',
      }
}

/** Whether the source of a directive may contain the service. A nonce or hash can allow its script, too. */
function allows(source: string, service: URL, page: URL): boolean {
  const text = source.toLowerCase()
  if (text === '*' || text === service.protocol || /^'(nonce|sha\d+)-|^'strict-dynamic'$/.test(text)) return true
  if (text === "'self'") return service.origin === page.origin
  const [, scheme, wildcard, host, port] = /^(https?:)?(?:\/\/)?(\*\.)?([^/:]+)(?::(\d+|\*))?/.exec(text) ?? []
  const isHost = wildcard ? service.hostname.endsWith(`.${host}`) : service.hostname === host
  const isPort = port === '*' || (port ?? '') === service.port
  return isHost && isPort && (scheme === undefined || scheme === service.protocol)
}
