import { randomBytes } from 'node:crypto'
import { type Reader, readIntent, readRevocation } from './answers.ts'
import { INTENT, REVOCATION } from './arguments.ts'
import { call } from './call.ts'
import { type Check, examinePage, found, loadPage } from './doctorPage.ts'
import { createNonce } from './draw.ts'
import { TollgateError } from './errors.ts'
import { membersOf, parseJson } from './json.ts'
import { readOptions, type Settings, type TollgateOptions } from './options.ts'
import { factsOf } from './refuse.ts'
import { type Reply, readReply } from './reply.ts'
import { testKeys } from './testKeys.ts'
import type { Intent } from './types.ts'
import { unreachable } from './unreachable.ts'
import { readBase } from './url.ts'

/** What is examined. Without hostnames and a page, only what the address and the secret show. */
export interface DoctorOptions extends Omit<TollgateOptions, 'sitekey'> {
  /** If given, it is compared with that of the secret's site. */
  sitekey?: string | undefined
  /** Of the pages with the form. That of `page` is added. */
  hostnames?: readonly string[] | undefined
  /** The address of a page with the form, which is requested twice. */
  page?: string | undefined
}

/** Of the intents that the doctor opens. The service takes them for no calls of the merchant's backend. */
const ACTION = 'tollgate-doctor'
/** So that the service does not take the doctor for the merchant's backend, which may be in another language. */
const AGENT = 'tollgate-doctor/0.2.0'
const INTENT_SECONDS = 300
const SKEW_SECONDS = 30
const TIMEOUT_MS = 10_000
const TEST_SITES: ReadonlySet<string> = new Set(Object.values(testKeys).map(({ sitekey }) => sitekey))
const LOOPBACK = /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3})$/

/**
 * Checks an integration from outside, with the site's own secret. It opens an intent for each hostname, and redeems nothing, so
 * nothing is charged. Throws a TypeError if an option is unusable, as the constructor of `Tollgate` does.
 */
export async function examine({ sitekey, hostnames = [], page, ...options }: DoctorOptions): Promise<Check[]> {
  // the checks below find out what site the secret is of
  const settings = { ...readOptions({ ...options, sitekey: sitekey ?? testKeys.pass.sitekey }), agent: AGENT }
  if (page !== undefined && readBase(page.replace(/[?#].*$/, '')) === undefined)
    throw new TypeError('Tollgate: `page` has to be the http(s) address of a page with the form.')
  const loaded = page === undefined ? undefined : await loadPage(page)
  // the address may lead to another host
  const pageUrl = loaded && !('check' in loaded) ? loaded[0].url : page
  const pageHost = pageUrl === undefined ? [] : [new URL(pageUrl).hostname]
  const hosts = [...new Set([...hostnames, ...pageHost])]
  const checks = [await examineSecret(settings)]
  let known: Intent | undefined
  if (checks[0]?.status === 'ok') {
    for (const hostname of hosts) {
      const { check, intent } = await examineHostname(settings, hostname)
      checks.push(check)
      if (intent) checks.push(await examineChallenge(settings.base, intent))
      known ??= intent
    }
    if (hosts.length === 0) checks.push(found('hostname', 'skipped', 'No hostname was given, so no intent was opened.'))
    if (known) checks.push(examineSitekey(known, sitekey), examineClock(known))
  }
  checks.push(await examineComponent(settings.base))
  if (loaded)
    checks.push(...('check' in loaded ? [loaded] : examinePage(settings.base, loaded, known?.sitekey ?? sitekey)))
  return checks.map((check) => (check.docs ? { ...check, docs: `${settings.base}/docs/${check.docs}` } : check))
}

/** The grants of a session that there is not are revoked: this needs a secret, and neither changes nor refuses anything. */
async function examineSecret(settings: Settings): Promise<Check> {
  const endpoint = { path: '/grants/revoke', shape: REVOCATION, read: readRevocation }
  try {
    await call(settings, endpoint, { session: randomBytes(32).toString('hex') })
    return found('secret', 'ok', `${settings.base} accepts the secret.`)
  } catch (error) {
    return failed('secret', error)
  }
}

async function examineHostname(settings: Settings, hostname: string): Promise<{ check: Check; intent?: Intent }> {
  const read: Reader<{ action: string; hostname: string }, Intent> = (answer, asked, headers) =>
    readIntent(String(answer['sitekey']))(answer, asked, headers)
  try {
    const asked = { action: ACTION, nonce: createNonce(), hostname }
    const intent = await call(settings, { path: '/intents', shape: INTENT, read }, asked)
    return { check: found('hostname', 'ok', `${hostname} is allowed.`), intent }
  } catch (error) {
    const check = failed('hostname', error)
    return { check: { ...check, message: `${hostname}: ${check.message}` } }
  }
}

const KEEP_CORS =
  'Let every proxy in front of the service pass the Origin of requests and the CORS headers of answers on.'

/** Does what the component does first, as a page of the hostname: what stands between has to keep Origin and the CORS headers. */
async function examineChallenge(base: string, { sitekey, intentId, hostname }: Intent): Promise<Check> {
  const check = 'challenge'
  const url = `${base}/challenge`
  const origin = `${LOOPBACK.test(hostname) ? 'http' : 'https'}://${hostname}`
  const lacksCors = (what: string) =>
    found(
      check,
      'error',
      `${what} lacks Access-Control-Allow-Origin: ${origin}, so browsers may not read it.`,
      KEEP_CORS,
      'errors#network',
    )
  try {
    const preflight = await ask(url, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type' },
    })
    const reply = await ask(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin, 'user-agent': AGENT },
      body: JSON.stringify({ sitekey, intent_id: intentId }),
    })
    const answer = membersOf(reply.body && parseJson(reply.body)?.value)
    if (!(reply.status === 200 && 'expires_at' in answer)) return refusedChallenge(reply, answer['error'], origin)
    const allowed = [preflight, reply].map(({ headers }) => headers.get('access-control-allow-origin') === origin)
    if (allowed[1] === false) return lacksCors('The answer of /challenge')
    if (allowed[0] === false || preflight.status > 299)
      return lacksCors(`The answer of /challenge to an OPTIONS request, status ${preflight.status},`)
    return found(check, 'ok', `A page of ${origin} gets a challenge.`)
  } catch (error) {
    return notAnswering(check, url, error)
  }
}

/** Why a page of an allowed hostname gets no challenge for an intent that was just opened for it. */
function refusedChallenge(reply: Reply, code: unknown, origin: string): Check {
  const { status } = reply
  const { requestId = '' } = factsOf(reply)
  const error = (message: string, fix: string, docs: string) => found('challenge', 'error', message, fix, docs)
  if (code === 'origin-not-allowed')
    return error(
      `/challenge answered ${status} origin-not-allowed: the Origin that the doctor sent, ${origin}, did not arrive.`,
      KEEP_CORS,
      'errors#origin-not-allowed',
    )
  if (typeof code === 'string' && requestId)
    return error(
      `/challenge answered ${status} ${code} to a page of ${origin} (${requestId}).`,
      'The page of the code says what to do.',
      `errors#${code}`,
    )
  return error(
    `/challenge answered ${status} to a page of ${origin}, but not as the service does.`,
    'Find out what answers in front of the service: a proxy, a firewall, a login page.',
    'troubleshooting',
  )
}

const ask = async (url: string, init: RequestInit): Promise<Reply> =>
  await readReply(await fetch(url, { ...init, redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) }), url)

function examineSitekey({ sitekey }: Intent, given: string | undefined): Check {
  if (given !== undefined && given !== sitekey) {
    const message = `The secret is of the site ${sitekey}, and the site key is ${given}.`
    return found('sitekey', 'error', message, 'Take both from the same site.', 'quick-start#keys')
  }
  if (TEST_SITES.has(sitekey)) {
    const message = `${sitekey} is a test key, whose secret is published: its verifications prove nothing.`
    return found('sitekey', 'warning', message, 'Use the keys of your own site in production.', 'testing#test-keys')
  }
  return found('sitekey', 'ok', `The secret is of the site ${sitekey}.`)
}

function examineClock({ expiresAt }: Intent): Check {
  const ahead = Math.round(Date.now() / 1000) - (expiresAt - INTENT_SECONDS)
  if (Math.abs(ahead) <= SKEW_SECONDS) return found('clock', 'ok', 'This machine and the service have the same time.')
  const message = `This machine's clock is ${Math.abs(ahead)} seconds ${ahead > 0 ? 'ahead of' : 'behind'} the service's.`
  const fix = 'Synchronise it: feedback with an occurred_at in the service’s future is refused.'
  return found('clock', 'warning', message, fix, 'errors#occurred_at')
}

async function examineComponent(base: string): Promise<Check> {
  const url = `${base}/widget.js`
  try {
    const { status, headers } = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) })
    const type = headers.get('content-type') ?? 'no content type'
    if (status === 200 && type.includes('javascript')) return found('component', 'ok', `${url} is served.`)
    const fix = 'Check the path of the address, and what the proxies in front of the service forward.'
    const message = `${url} answered ${status} with ${type}, not the script.`
    return found('component', 'error', message, fix, 'troubleshooting#in-the-page')
  } catch (error) {
    return notAnswering('component', url, error)
  }
}

function notAnswering(check: string, url: string, error: unknown): Check {
  const message = `${url} did not answer. ${unreachable(url, error).message}`
  // no link: what does not answer does not serve its documentation either
  return found(check, 'error', message)
}

/** The error of a call, with the SDK's own sentence, which says what to do. */
function failed(check: string, error: unknown): Check {
  if (!(error instanceof TollgateError)) throw error
  const { code, field, message } = error
  if (code === 'unreachable') return found(check, 'error', message)
  const docs = code === 'unexpected-answer' ? 'troubleshooting#at-your-backend' : `errors#${field ?? code}`
  return found(check, 'error', message, undefined, docs)
}
