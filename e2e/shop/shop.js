// Comfort only: it says that a form is under way and swallows the second click. The server relies on none of it, a form
// sent twice is one order anyway. A form sent while the check is still at work is held back by the check itself.
for (const form of document.querySelectorAll('form[method="post"]')) {
  const button = form.querySelector('button[type="submit"]')
  const progress = form.querySelector('.progress')
  let sending = false

  const show = (now) => {
    sending = now
    progress.textContent = now ? 'Sending…' : ''
    button.setAttribute('aria-disabled', String(now))
  }

  form.addEventListener('submit', (event) => {
    if (sending) event.preventDefault()
    else show(true)
  })
  // Shown again from the back-forward cache, the page must not still say that it is sending.
  window.addEventListener('pageshow', (event) => {
    if (event.persisted) show(false)
  })
}
