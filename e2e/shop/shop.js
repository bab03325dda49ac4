// Comfort only: the server relies on nothing that happens here, and a form sent twice is one order anyway.
for (const form of document.querySelectorAll('form[method="post"]')) {
  const button = form.querySelector('button[type="submit"]')
  const progress = form.querySelector('.progress')
  const guarded = form.querySelector('.svc-captcha') !== null
  /** `solving`: sent by the visitor while the check is still at work, to be sent on once it is done. */
  let state = 'idle'
  /** Whether waiting for a token is pointless. The server then says what to do, or makes a fresh form. */
  let stuck = false

  const enter = (next, text) => {
    state = next
    progress.textContent = text
    button.setAttribute('aria-disabled', String(next !== 'idle'))
  }
  const sendOn = () => {
    if (state !== 'solving') return
    enter('idle', '')
    form.requestSubmit(button)
  }
  const giveUp = () => {
    stuck = true
    sendOn()
  }

  form.addEventListener('submit', (event) => {
    if (document.readyState === 'complete' && window.svcCaptcha === undefined) stuck = true
    const solved = !guarded || stuck || Boolean(form.elements.namedItem('svc-captcha-response')?.value)
    if (state === 'idle' && solved) return enter('sending', 'Sending…')
    event.preventDefault()
    if (state === 'idle') enter('solving', 'Finishing the check…')
  })
  form.addEventListener('svc-captcha:solved', () => {
    stuck = false
    sendOn()
  })
  form.addEventListener('svc-captcha:error', giveUp)
  form.addEventListener('svc-captcha:expired', giveUp)
  window.addEventListener('load', () => {
    if (guarded && window.svcCaptcha === undefined) giveUp()
  })
  // Shown again from the back-forward cache, the page must not still say that it is sending.
  window.addEventListener('pageshow', (event) => {
    if (event.persisted) enter('idle', '')
  })
}
