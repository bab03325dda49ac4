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
      if (!reply.ok) throw new Error('no intent')
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
    } catch {
      const message = document.createElement('p')
      message.setAttribute('role', 'alert')
      const button = Object.assign(document.createElement('button'), { type: 'button', textContent: retry })
      button.addEventListener('click', () => open(box))
      message.append(failed, ' ', button)
      box.replaceChildren(message)
      return false
    }
  }

  /** The buttons of forms that were sent before their component was there. */
  const waiting = new Map()
  const isLoaded = new Promise((resolve) => {
    if (document.readyState === 'complete') resolve()
    else addEventListener('load', resolve, { once: true })
  })

  function send(box) {
    if (!waiting.has(box)) return
    const submitter = waiting.get(box)
    waiting.delete(box)
    box.closest('form').requestSubmit(submitter)
  }

  async function sendLater(box, submitter) {
    waiting.set(box, submitter)
    if (!(await open(box))) waiting.delete(box)
    await isLoaded
    // The component's script was blocked: the server says what to do.
    if (!window.svcCaptcha) send(box)
  }

  addEventListener(
    'submit',
    (event) => {
      const { target: form, submitter } = event
      const box = form.querySelector(BOX)
      if (!box || isOpen(box) || submitter?.hasAttribute('data-svc-captcha-skip')) return
      event.preventDefault()
      event.stopImmediatePropagation()
      void sendLater(box, submitter)
    },
    true,
  )
  // From now on, the component makes the form wait for the token.
  addEventListener('svc-captcha:ready', (event) => send(event.target.closest(BOX)))

  // Intents are limited, so a form gets its intent when the visitor scrolls near it.
  const approached = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting) continue
        approached.unobserve(target)
        open(target)
      }
    },
    { rootMargin: '100%' },
  )
  function openAll() {
    for (const box of document.querySelectorAll(BOX)) if (box.childElementCount === 0) approached.observe(box)
  }
  openAll()
  // Forms that a script inserts later.
  new MutationObserver(openAll).observe(document.documentElement, { childList: true, subtree: true })
  // WooCommerce sends its checkout by a script; a form that it refused needs another intent.
  void isLoaded.then(() =>
    window.jQuery?.(document.body).on('checkout_error', () => {
      for (const box of document.querySelectorAll(`form.checkout ${BOX}`)) open(box)
    }),
  )
})()
