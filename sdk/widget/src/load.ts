import type { SvcCaptcha } from '../../../widget/types.ts'

/**
 * Loads `widget.js` of the deployment at `url`, unless the page has loaded it or is loading it, also as a pinned version.
 * Rejects if the script does not load; the next call tries again. Only in a browser.
 */
export async function load({ url }: { url: string }): Promise<SvcCaptcha> {
  // An element with the ID `svcCaptcha` has no `render`.
  if (!window.svcCaptcha?.render) await loadScript(new URL(`${url.replace(/\/+$/, '')}/widget`, document.baseURI).href)
  if (!window.svcCaptcha?.render) throw new Error(`${url} did not serve widget.js`)
  return window.svcCaptcha
}

function loadScript(stem: string): Promise<unknown> {
  const script =
    [...document.scripts].find(({ src }) => src.startsWith(`${stem}.js`) || src.startsWith(`${stem}-`)) ??
    document.createElement('script')
  return new Promise((resolve, reject) => {
    script.addEventListener('load', resolve)
    script.addEventListener('error', () => {
      script.remove()
      reject(new Error(`${script.src} did not load`))
    })
    if (script.isConnected) return
    script.src = `${stem}.js`
    document.head.append(script)
  })
}
