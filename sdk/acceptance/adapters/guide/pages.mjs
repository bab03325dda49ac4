// The pages of the guide's table, for one product.

const ENTITIES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escape = (value) => String(value).replace(/[&<>"']/g, (found) => ENTITIES[found])

const page = (content) =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>Checkout</title><h1>Checkout</h1>${content}</html>`
const field = (label, name, value) => `<p><label>${label} <input name="${name}" value="${escape(value)}"></label></p>`
const hidden = (name, value) => `<input type="hidden" name="${name}" value="${escape(value)}">`

/** `widget` is HTML already. */
export const drawForm = ({ attemptId, email, quantity, widget, notice }) =>
  page(`<p>${notice}</p><form method="post" action="/checkout">${hidden('attempt', attemptId)}
    ${field('E-mail', 'email', email)}${field('Quantity', 'quantity', quantity)}${widget}<button>Order</button></form>`)

export const drawOrder = ({ quantity, email }) =>
  page(`<p>Thank you for your order of ${escape(quantity)} for ${escape(email)}.</p>`)

/** A message, a button that sends the frozen values again if there are any, and a link to a fresh form. */
export const drawMessage = (message, frozen) =>
  page(`<p>${message}</p>${frozen ? repeat(frozen) : ''}
  <p><a href="/checkout">Open a new form</a></p>`)

const repeat = ({ attemptId, payload, token }) =>
  `<form method="post" action="/checkout">${hidden('attempt', attemptId)}${hidden('email', payload.email)}
    ${hidden('quantity', payload.quantity)}${hidden('svc-captcha-response', token)}<button>Try again</button></form>`
