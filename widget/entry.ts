import { ignoreErrors } from './events.ts'
import { createPage, type Page } from './page.ts'
import { runWorker } from './solver/worker.ts'

/** The URL of the script under one of its own names: in a file with another name, other scripts are beside it. */
const OWN_URL = /[^\s@()]+:\/\/[^\s@()]+\/widget(-[0-9a-f]{16})?\.js[^\s:)]*/

// The same script runs as the page's web worker.
if (typeof document === 'undefined') runWorker(globalThis)
else ignoreErrors(start)

function start(): void {
  // Only classic scripts are the current script. The first line of the stack that has a URL is this file.
  const source = (document.currentScript as HTMLScriptElement | null)?.src ?? new Error().stack
  const base = OWN_URL.exec(source ?? '')?.[0]
  // Included again, the script continues with the same components. An element with the ID `svcCaptcha` has no `render`.
  if (!window.svcCaptcha?.render) window.svcCaptcha = createPage(base)
  ;(window.svcCaptcha as Page).include?.(new URLSearchParams(base?.split('?')[1]))
}
