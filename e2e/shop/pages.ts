import { findProduct, formatPrice, products } from './catalogue.ts'
import { bicycle, drawPart } from './drawings.ts'
import type { Action } from './fields.ts'
import type { ActivityLine, Receipt } from './history.ts'
import { type Html, html } from './html.ts'
import { layOut, type Page } from './layout.ts'
import type { Advice } from './refusals.ts'
import type { State } from './store.ts'

/** The front page: the three parts and the letter. */
export function drawHome(): Page {
  const main = html`
<section class="hero">
  <div>
    <h1>Parts for the bicycle you mean to keep.</h1>
    <p class="lead">Three things, made well and mended for ever. We have sold nothing else since 1961.</p>
    <p><a class="button" href="#parts">See the three</a></p>
  </div>
  ${bicycle}
</section>
<section id="parts" class="parts" aria-label="Parts">
  ${products.map(
    (product) => html`
  <article class="part">
    ${drawPart(product.slug, product.name)}
    <h2>${product.name}</h2>
    <p>${product.line}</p>
    <p class="detail">${product.detail}</p>
    <p class="buy"><span class="price">${formatPrice(product.cents)}</span>
      <a class="button" href="/checkout?product=${product.slug}" aria-label="Buy ${product.name}">Buy</a></p>
  </article>`,
  )}
</section>
<section class="letter">
  <h2>The Sunday letter</h2>
  <p>One repair, one ride, one old catalogue page. Every Sunday, before coffee.</p>
  <p><a href="/signup">Read it with us</a></p>
</section>`
  return layOut({ title: 'Parts for bicycles you keep', main, here: '/' })
}

/** Formats an order's number as people quote it. */
export function formatOrder(number: number): string {
  return `PW-${number}`
}

/** What came of a completed attempt. */
export function drawReceipt(receipt: Receipt): Page {
  const { payload, orderNumber, decisionId } = receipt
  const product = findProduct(payload.product)
  const checked = html`<p class="fine">Checked by Tollgate as <code>${decisionId}</code></p>`
  if (orderNumber === undefined || product === undefined) {
    const main = html`
<section class="sheet done">
  <h1>You’re on the list</h1>
  <p class="lead">The next letter comes on Sunday, to ${payload.email}.</p>
  ${checked}
  <p><a class="button" href="/">Back to the parts</a></p>
</section>`
    return layOut({ title: 'Signed up', main })
  }
  const main = html`
<section class="sheet done">
  <h1>Thank you, ${payload.name}</h1>
  <p class="lead">Your order <strong class="order-number">${formatOrder(orderNumber)}</strong> is on the bench and leaves tomorrow.</p>
  <div class="receipt">
    ${drawPart(product.slug)}
    <dl>
      <div><dt>Part</dt><dd>${payload.quantity} × ${product.name}</dd></div>
      <div><dt>To</dt><dd class="address">${payload.address}</dd></div>
      <div><dt>Invoice</dt><dd>${payload.email}</dd></div>
      <div class="total"><dt>Total</dt><dd>${formatPrice(Number(payload.total))}</dd></div>
    </dl>
  </div>
  ${checked}
  <p><a class="button" href="/">Back to the parts</a></p>
</section>`
  return layOut({ title: `Order ${formatOrder(orderNumber)}`, main })
}

/** What the visitor is told when a form could not be opened (`attempt` absent) or not be settled. */
export function drawAdvice(advice: Advice, action: Action, retryAfter: number | undefined, attempt?: string): Page {
  const again =
    attempt === undefined
      ? html`<p><a class="button" href="/${action}">Try again</a></p>`
      : html`<form method="post" action="/${action}">
    <input type="hidden" name="attempt" value="${attempt}">
    <div class="send"><button type="submit">Try again</button><p class="progress" role="status"></p></div>
  </form>`
  const main = html`
<section class="sheet advice">
  <h1>${advice.title}</h1>
  <p class="lead">${advice.text}</p>
  ${advice.next !== 'leave' && again}
  <p><a href="/">Back to the parts</a></p>
</section>`
  const wait = advice.status === 429 || advice.status === 503
  const headers = wait ? { 'retry-after': String(retryAfter ?? 10) } : {}
  return layOut({ title: advice.title, main, status: advice.status, headers })
}

/** A page that only says something. */
export function drawNotice(
  status: number,
  title: string,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): Page {
  const main = html`
<section class="sheet advice">
  <h1>${title}</h1>
  <p class="lead">${text}</p>
  <p><a class="button" href="/">Back to the parts</a></p>
</section>`
  return layOut({ title, main, status, headers })
}

const states: Readonly<Record<State, string>> = {
  created: 'Form asked for',
  opened: 'Form shown',
  submitted: 'Sent',
  refused: 'Refused',
  completed: 'Done',
}

const actions: Readonly<Record<Action, string>> = { checkout: 'Order', signup: 'Sunday letter' }

/** This session's own attempts, as the shop has them on record. */
export function drawActivity(lines: readonly ActivityLine[]): Page {
  const main = html`
<section class="sheet wide">
  <h1>Your activity</h1>
  <p class="lead">Every form this browser has opened here, and what became of it.</p>
  ${lines.length === 0 ? html`<p class="empty">Nothing yet. Once you open an order form, it is listed here.</p>` : drawLines(lines)}
</section>`
  return layOut({ title: 'Your activity', main, here: '/activity' })
}

const moments = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'UTC',
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
})

function drawLines(lines: readonly ActivityLine[]): Html {
  return html`<table class="activity">
    <thead><tr><th scope="col">When (UTC)</th><th scope="col">Form</th><th scope="col">State</th><th scope="col">Result</th><th scope="col">Permit, decision</th></tr></thead>
    <tbody>${lines.map(
      (line) => html`
      <tr data-attempt="${line.id}" data-state="${line.state}">
        <td><time datetime="${line.createdAt.toISOString()}">${moments.format(line.createdAt)}</time></td>
        <td>${actions[line.action]}</td>
        <td><span class="state state-${line.state}">${states[line.state]}</span></td>
        <td>${drawResult(line)}</td>
        <td class="ids">${line.intentId !== undefined && html`<code>${line.intentId}</code>`}${line.decisionId !== undefined && html`<code>${line.decisionId}</code>`}</td>
      </tr>`,
    )}
    </tbody>
  </table>`
}

function drawResult(line: ActivityLine): Html | string {
  if (line.state === 'completed') {
    const label = line.orderNumber === undefined ? 'Subscribed' : formatOrder(line.orderNumber)
    return html`<a href="/receipts/${line.id}">${label}</a>`
  }
  return line.refusalCode === undefined ? '–' : html`<code>${line.refusalCode}</code>`
}
