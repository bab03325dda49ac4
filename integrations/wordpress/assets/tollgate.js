// Pages may come from a page cache, so their forms fetch their intents here. The component does the rest.
;(() => {
  const BOX = 'div.tollgate[data-action]'
  const isOpen = (box) => box.querySelector('.svc-captcha') !== null
  /** The replies set the cookie of the session: the first one before the next is asked for. */
  let last = Promise.resolve()
  const opening = new WeakMap()

  /** Opens an intent for a form, unless that is going on already. Resolves whether the component is there. */
  function open(box) {
    if (!opening.has(box)) {
      last = last.then(() => request(box)).finally(() => opening.delete(box))
      opening.set(box, last)
    }
    return opening.get(box)
  }

  async function request(box) {
    const { action, failed, retry, ...attributes } = box.dataset
    try {
      const reply = await fetch(attributes.renew, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ action }),
      })
      if (!reply.ok) throw new Error(`the intent was answered with ${reply.status}`)
      const { id, intent_id: intent } = await reply.json()
      const attempt = Object.assign(document.createElement('input'), {
        type: 'hidden',
        name: 'tollgate_attempt',
        value: id,
      })
      const component = document.createElement('div')
      Object.assign(component.dataset, attributes, { intent })
      component.className = 'svc-captcha'
      box.replaceChildren(attempt, component)
      return true
    } catch (error) {
      console.error('Tollgate:', error)
      const message = document.createElement('p')
      message.setAttribute('role', 'alert')
      const button = Object.assign(document.createElement('button'), { type: 'button', textContent: retry })
      button.addEventListener('click', () => open(box))
      message.append(failed, ' ', button)
      box.replaceChildren(message)
      return false
    }
  }

  /** A form that is sent before its intent is there waits for it; from then on, the component waits for the token. */
  addEventListener(
    'submit',
    (event) => {
      const { target: form, submitter } = event
      const box = form.querySelector(BOX)
      if (!box || isOpen(box) || submitter?.hasAttribute('data-svc-captcha-skip')) return
      event.preventDefault()
      event.stopImmediatePropagation()
      open(box).then((isThere) => {
        if (!isThere) return
        // Without the component's script there is no token: the server says so.
        if (window.svcCaptcha) box.addEventListener('svc-captcha:ready', () => form.requestSubmit(submitter), { once: true })
        else form.requestSubmit(submitter)
      })
    },
    true,
  )

  function openAll() {
    for (const box of document.querySelectorAll(BOX)) if (box.childElementCount === 0) open(box)
  }
  openAll()
  // Forms that a script inserts later.
  new MutationObserver(openAll).observe(document.documentElement, { childList: true, subtree: true })
  // WooCommerce sends its checkout by a script; a form that it refused needs another intent.
  window.jQuery?.(document.body).on('checkout_error', () => {
    for (const box of document.querySelectorAll(`form.checkout ${BOX}`)) open(box)
  })
})()
