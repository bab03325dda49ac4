import { ignoreErrors } from './events.ts'
import { createPage, type Page } from './page.ts'
import { runWorker } from './solver/worker.ts'

// The same script runs as the page's web worker.
if (typeof document === 'undefined') runWorker(globalThis)
else ignoreErrors(start)

function start(): void {
  const script = document.currentScript ?? document.querySelector('script[src*="/widget.js"],script[src*="/widget-"]')
  if (!(script instanceof HTMLScriptElement)) return
  const { href, searchParams } = new URL(script.src, location.href)
  // Included again, the script continues with the same components. An element with the ID `svcCaptcha` has no `render`.
  if (!window.svcCaptcha?.render) window.svcCaptcha = createPage(href)
  ;(window.svcCaptcha as Page).include?.(searchParams)
}
