import { once } from './once.ts'
import type { Options } from './options.ts'
import { download, request } from './request.ts'
import type { ErrorCode } from './types.ts'

/** Writes one line for developers to the browser's console. Never rejects. */
export type Help = (options: Options, code: ErrorCode, field?: string, requestId?: string) => Promise<void>

/** By field or code. Of several, each belongs to a pattern. */
type Texts = Readonly<Record<string, string | Readonly<Record<string, string>>>>

/** What keeps the texts from loading is the likely cause of the error itself. */
const FALLBACK = 'Check data-endpoint and connect-src.'

/**
 * Downloads the texts at `url` (help.json), by field or code, with the first error, to keep the component small. They are
 * data, so a page that pins the script by its hash runs no other code. Some are by patterns of what is known: endpoint,
 * request that was blocked, whether the browser is online, whether the endpoint answers, and the page's origin.
 */
export function createHelp(url: URL): Help {
  /** The request that the page's policy has blocked last. */
  let blocked = ''
  document.addEventListener('securitypolicyviolation', (event) => {
    if (event.effectiveDirective === 'connect-src' && event.disposition === 'enforce') blocked = event.blockedURI
  })
  const load = once(() => download(url, (reply): Promise<Texts> => reply.json()))
  return async (options, code, field = '', requestId) => {
    let text: string | undefined
    let topic: string = code
    try {
      const texts = await load()
      if (texts[field]) topic = field
      const found = texts[topic]
      if (typeof found === 'object') {
        // The browser tells no cause. Without CORS, any answer will do, also an error.
        const probe: RequestInit = { method: 'HEAD', mode: 'no-cors' }
        const answers = await request(`${options.endpoint}/widget.js`, probe, 5, () => true).catch(() => false)
        const facts = `${options.endpoint} ${blocked} ${navigator.onLine} ${answers} ${origin}`
        text = Object.entries(found).find(([pattern]) => RegExp(pattern).test(facts))?.[1]
      } else text = found
    } catch {
      // Offline, or forbidden by the content security policy.
    }
    // Placeholders name an option or a property of `location`; all of those used in help.json are strings.
    text = (text ?? FALLBACK).replace(
      /{(\w+)}/g,
      (_, name) => (options[name as keyof Options] ?? location[name as keyof Location]) as string,
    )
    // Without an answer, `data-endpoint` may be what is wrong. The service that this script came from has the docs, too.
    const docs = new URL(`${requestId ? options.endpoint : '../../..'}/docs/errors#${topic}`, url).href
    // oxlint-disable-next-line no-console -- the browser's console is where developers look for the cause
    console.error(...['Tollgate:', code, field, requestId, text, docs].filter(Boolean))
  }
}
