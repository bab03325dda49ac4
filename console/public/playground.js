// The frame of the console's playground (console/sites/Playground.tsx): renders the component for the intent that the console
// sends, and tells the console of each call that the component makes.
const tell = (type, detail) => parent.postMessage({ type, ...detail }, location.origin)

const realFetch = window.fetch
window.fetch = async (input, options) => {
  const url = new URL(input instanceof Request ? input.url : input, location.href)
  const answer = await realFetch(input, options)
  const { status } = answer
  const reply = await answer
    .clone()
    .json()
    .catch(() => null)
  if (url.pathname === '/challenge' || url.pathname === '/solve') {
    const request = typeof options?.body === 'string' ? JSON.parse(options.body) : null
    tell('call', { endpoint: url.pathname, request, status, reply })
  }
  return answer
}

addEventListener('message', ({ origin, source, data }) => {
  if (origin !== location.origin || source !== parent || data.type !== 'render') return
  document.documentElement.dataset.theme = data.theme
  const { sitekey, intent, theme } = data
  window.svcCaptcha.render('#component', { sitekey, intent, theme, endpoint: location.origin })
})

addEventListener('svc-captcha:solved', ({ detail }) => tell('solved', { response: detail.response }))
addEventListener('svc-captcha:error', ({ detail }) => tell('error', { code: detail.code }))
addEventListener('svc-captcha:expired', () => tell('expired', {}))
addEventListener('DOMContentLoaded', () => {
  window.svcCaptcha.ready(() => tell('ready', {}))
})
