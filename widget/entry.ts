import { attempt, callPage } from './events.ts'
import { createPage } from './page.ts'
import { serve } from './solver/serve.ts'

// A worker runs this script too; it solves for the page that started it.
if (typeof document === 'undefined') serve(globalThis)
// A page that includes the script twice has one component all the same. (An element with the id is no component.)
else if (!window.svcCaptcha?.render) attempt(start)

function start(): void {
  const script = document.currentScript ?? document.querySelector('script[src*="/widget.js"],script[src*="/widget-"]')
  if (!(script instanceof HTMLScriptElement)) return
  const { href, searchParams } = new URL(script.src, location.href)
  const onload = searchParams.get('onload')
  const page = createPage(href, searchParams.get('render') !== 'explicit')
  window.svcCaptcha = page.api
  page.watch()
  if (onload) page.api.ready(() => callPage(onload))
}
