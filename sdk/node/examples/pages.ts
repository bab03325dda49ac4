// The pages of the checkout. Every value is escaped.
import { renderScript, renderWidget } from '@tollgate/node'
import type { OpenForm, Order, Submitted } from './attempts.ts'
import { sitekey, url } from './config.ts'

/** The visitor's own fields as they were typed. */
export type Draft = { email: string; quantity: string }

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Escapes text for element content and quoted attribute values. */
const escape = (value: string | number) => String(value).replace(/[&<>"']/g, (found) => ENTITIES[found] ?? '')

const page = (content: string) => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Checkout</title>
<h1>Checkout</h1>
${content}
`

export const drawMessage = (text: string): string =>
  page(`<p role="alert">${escape(text)}</p>
<p><a href="/checkout">Open the form</a></p>`)

export const drawForm = ({ attemptId, intentId }: OpenForm, draft: Draft, notice?: string): string =>
  page(`${notice === undefined ? '' : `<p role="alert">${escape(notice)}</p>`}
<form method="post" action="/checkout">
  <input type="hidden" name="attempt" value="${escape(attemptId)}">
  <p><label>E-mail <input type="email" name="email" required value="${escape(draft.email)}"></label></p>
  <p><label>Quantity <input type="number" name="quantity" min="1" max="9" required value="${escape(draft.quantity)}"></label></p>
  ${renderWidget({ url, sitekey, intentId, renew: '/checkout/intent', noscript: 'Please turn on JavaScript to send this form.' })}
  <p><button>Order</button></p>
</form>
${renderScript({ url })}`)

export const drawDone = (order: Order): string =>
  page(`<p>Thank you for your order.</p>
${describe(order)}`)

/** The next try repeats exactly what was submitted, so it cannot order twice. */
export const drawRetry = (submitted: Submitted): string =>
  page(`<p role="alert">We could not take your order yet. Nothing was ordered.</p>
${repeat(submitted, 'Try again')}`)

export const drawChanged = ({ submitted, isDone }: { submitted: Submitted; isDone: boolean }): string =>
  page(`<p role="alert">This order was already sent with other content. Your change was not accepted.</p>
<p>${isDone ? 'This is what you ordered:' : 'This is what you sent first. It is not confirmed yet:'}</p>
${describe(submitted.order)}
${isDone ? '' : repeat(submitted, 'Send this order')}
<p><a href="/checkout">Start another order</a></p>`)

const describe = ({ quantity, email }: Order) => `<p>${escape(quantity)} × for ${escape(email)}</p>`

const repeat = ({ attemptId, order, token }: Submitted, label: string) => `<form method="post" action="/checkout">
  <input type="hidden" name="attempt" value="${escape(attemptId)}">
  <input type="hidden" name="email" value="${escape(order.email)}">
  <input type="hidden" name="quantity" value="${escape(order.quantity)}">
  <input type="hidden" name="svc-captcha-response" value="${escape(token)}">
  <p><button>${escape(label)}</button></p>
</form>`
