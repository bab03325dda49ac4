import { download } from './download.ts'
import type { Options } from './options.ts'
import { once } from './solver/hire.ts'
import type { ErrorCode } from './types.ts'

/** Writes one line for the developer into the browser's console. Never rejects. */
export type Help = (options: Options, code: ErrorCode, field?: string, requestId?: string) => Promise<void>

/** What prevents the texts from being fetched prevents the rest as well. */
const WITHOUT_TEXT = 'Check data-endpoint, and connect-src of the CSP.'

/**
 * The texts at `url` (help.json), by field or code, are fetched with the first error: what nobody reads while all is well
 * is no part of the component. They are data and no code, so a page that pins the script by its hash runs nothing else.
 */
export function createHelp(url: URL): Help {
  const load = once(async (): Promise<Readonly<Record<string, string>>> => (await download(url)).json())
  return async (options, code, field = '', requestId) => {
    let text: string | undefined
    try {
      const texts = await load()
      text = texts[field] ?? texts[code]
    } catch {
      // Offline, or kept from connecting by a content policy.
    }
    // the texts name values that are text: options, and parts of the page's address
    text = (text ?? WITHOUT_TEXT).replace(
      /{(\w+)}/g,
      (_, name) => (options[name as keyof Options] ?? location[name as keyof Location]) as string,
    )
    // oxlint-disable-next-line no-console -- developers look here, and the page has no other place for it
    console.error(...['Tollgate:', code, field, requestId, text, `${options.endpoint}/docs/errors`].filter(Boolean))
  }
}
