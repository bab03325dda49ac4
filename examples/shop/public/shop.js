// For comfort only: shows that a form is being sent, and ignores a second click. The server does not rely on it.
for (const form of document.querySelectorAll('form[method="post"]')) {
  let isSending = false
  const show = (now) => {
    isSending = now
    form.querySelector('.send [role="status"]').textContent = now ? 'Sending…' : ''
  }
  form.addEventListener('submit', (event) => {
    if (isSending) event.preventDefault()
    else show(true)
  })
  // a page from the back-forward cache is not being sent any more
  window.addEventListener('pageshow', ({ persisted }) => persisted && show(false))
}
