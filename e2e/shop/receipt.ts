import { findProduct, formatOrder, formatPrice } from './catalogue.ts'
import { drawPart } from './drawings.ts'
import type { Standing } from './exemptions.ts'
import type { Receipt } from './history.ts'
import { type Html, html } from './html.ts'
import { drawMoment, drawSaid, layOut, type Page } from './layout.ts'
import type { Notice } from './refusals.ts'
import { drawReport } from './reporting.ts'
import type { Report } from './reports.ts'

/** A completed attempt, and what can be done after it. */
export type Aftermath = {
  readonly receipt: Receipt
  readonly standing: Standing
  readonly report: Report | undefined
  readonly notice: Notice | undefined
}

/** What came of a completed attempt. */
export function drawReceipt(view: Aftermath): Page {
  const { payload, orderNumber } = view.receipt
  const product = findProduct(payload.product)
  const said = drawSaid(view.notice)
  if (orderNumber === undefined || product === undefined) {
    const main = html`
<section class="sheet done">
  <h1>You’re on the list</h1>
  <p class="lead">The next letter comes on Sunday, to ${payload.email}.</p>
  ${said.markup}
  ${drawAftermath(view)}
</section>`
    return layOut({ title: 'Signed up', main, ...said.head })
  }
  const main = html`
<section class="sheet done">
  <h1>Thank you, ${payload.name}</h1>
  <p class="lead">Your order <strong class="order-number">${formatOrder(orderNumber)}</strong> is on the bench and leaves tomorrow.</p>
  ${said.markup}
  <div class="receipt">
    ${drawPart(product.slug)}
    <dl>
      <div><dt>Part</dt><dd>${payload.quantity} × ${product.name}</dd></div>
      <div><dt>To</dt><dd class="address">${payload.address}</dd></div>
      <div><dt>Invoice</dt><dd>${payload.email}</dd></div>
      <div class="total"><dt>Total</dt><dd>${formatPrice(Number(payload.total))}</dd></div>
    </dl>
  </div>
  ${drawAftermath(view)}
</section>`
  return layOut({ title: `Order ${formatOrder(orderNumber)}`, main, ...said.head })
}

function drawAftermath({ receipt, standing, report }: Aftermath): Html {
  return html`${drawStanding(standing, receipt.attempt)}
  <p class="fine">Checked by Tollgate as <code>${receipt.decisionId}</code></p>
  <div class="fine">${drawReport(receipt.attempt, report)}</div>
  <p><a class="button" href="/">Back to the parts</a></p>`
}

function drawStanding(standing: Standing, attempt: string): Html | false {
  switch (standing.kind) {
    case 'offered':
      return html`<div class="offer">
    <p>More to come? Your next form within 15 minutes can do without the check.</p>
    <form method="post" action="/exemptions">
      <input type="hidden" name="attempt" value="${attempt}">
      <div class="send"><button class="quiet" type="submit">Skip the check next time on this device</button><p class="progress" role="status"></p></div>
    </form>
  </div>`
    case 'ready':
      return html`<div class="offer">
    <p>Your next form on this device skips the check, until ${drawMoment(standing.until)} UTC. You can undo that under <a href="/activity">Your activity</a>.</p>
  </div>`
    case 'skipped':
      return html`<p class="fine">The check was skipped this time, as you asked.</p>`
    case 'over':
      return html`<p class="fine">The skipped check that came of this has been used, has expired or was forgotten.</p>`
    case 'late':
      return false
  }
}
