import { attempt, callPage } from './events.ts'
import { createPage } from './page.ts'

const script = document.currentScript ?? document.querySelector('script[src*="/widget.js"],script[src*="/widget-"]')

// A page that includes the script twice has one component all the same. (An element with the id is no component.)
attempt(() => {
  if (!(script instanceof HTMLScriptElement) || window.svcCaptcha?.render) return
  const { href, searchParams } = new URL(script.src, location.href)
  const onload = searchParams.get('onload')
  const page = createPage(href, searchParams.get('render') !== 'explicit')
  window.svcCaptcha = page.api
  page.watch()
  if (onload) page.api.ready(() => callPage(onload))
})
