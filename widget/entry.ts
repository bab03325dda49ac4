import { callPage, ignoreErrors } from './events.ts'
import { createPage } from './page.ts'
import { runWorker } from './solver/worker.ts'

// The same script runs as the page's web worker.
if (typeof document === 'undefined') runWorker(globalThis)
// Included twice, the script starts once. An element with the ID `svcCaptcha` has no `render`.
else if (!window.svcCaptcha?.render) ignoreErrors(start)

function start(): void {
  const script = document.currentScript ?? document.querySelector('script[src*="/widget.js"],script[src*="/widget-"]')
  if (!(script instanceof HTMLScriptElement)) return
  const { href, searchParams } = new URL(script.src, location.href)
  const onload = searchParams.get('onload')
  const page = createPage(href, searchParams.get('render') !== 'explicit')
  window.svcCaptcha = page.api
  page.startObserving()
  if (onload) page.api.ready(() => callPage(onload))
}
