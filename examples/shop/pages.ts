import type { Activity } from './aftercare.ts'
import type { Submitted } from './attempts.ts'
import { type Action, type Faults, findProduct, type Payload, products } from './fields.ts'
import { type Html, html } from './html.ts'
import type { Advice } from './refusals.ts'

const entries = { '/': 'Parts', '/signup': 'Newsletter', '/activity': 'Your activity' }
const euros = new Intl.NumberFormat('en-IE', { style: 'currency', currency: 'EUR' })
const moments = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', dateStyle: 'short', timeStyle: 'medium' })

/** The frame of every page. `here` is its path in the navigation. */
function layOut(title: string, main: Html, here = ''): string {
  return html`<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <title>${title} · Pennywheel</title>
  <link rel="icon" href="/bell.svg" type="image/svg+xml">
  <link rel="stylesheet" href="/shop.css">
  <script src="/shop.js" defer></script>
</head>
<body>
  <a class="skip" href="#main">Skip to the content</a>
  <header>
    <a class="brand" href="/">Pennywheel</a>
    <nav aria-label="Shop">${Object.entries(entries).map(
      ([path, label]) => html`<a href="${path}"${path === here && html` aria-current="page"`}>${label}</a>`,
    )}</nav>
  </header>
  <main id="main" tabindex="-1"><h1>${title}</h1>${main}</main>
  <footer>Pennywheel is a demonstration of Tollgate: nothing is delivered and nobody is charged.</footer>
</body>
</html>
`.toString()
}

const drawPrice = (cents: number) => html`<span class="price">${euros.format(cents / 100)}</span>`
const drawPart = (slug: string) => html`<img class="plate" src="/${slug}.svg" alt="" width="240" height="200">`
const drawMoment = (moment: Date) => html`<time datetime="${moment.toISOString()}">${moments.format(moment)}</time>`
const drawHidden = (name: string, value: string) => html`<input type="hidden" name="${name}" value="${value}">`
const drawNotice = (text: string) =>
  text !== '' && html`<p class="notice" role="alert" tabindex="-1" autofocus>${text}</p>`
const drawOption = (value: string, label: string, chosen: string | undefined) =>
  html`<option value="${value}"${value === chosen && html` selected`}>${label}</option>`
/** shop.js writes into the empty status. */
const drawSend = (label: string, look = '') =>
  html`<div class="send"><button type="submit" class="${look}">${label}</button><span role="status"></span></div>`

export function drawHome(): string {
  const main = html`
<p class="lead">Three parts, made to be repaired.</p>
<section class="parts" aria-label="Parts">${products.map(
    ({ slug, name, line, cents }) => html`
  <article>
    ${drawPart(slug)}
    <h2>${name}</h2>
    <p>${line}</p>
    <p class="buy">${drawPrice(cents)} <a class="button" href="/checkout?product=${slug}" aria-label="Buy ${name}">Buy</a></p>
  </article>`,
  )}
</section>`
  return layOut('Parts for the bicycle you mean to keep', main, '/')
}

/** A page with a message. */
export function drawMessage(title: string, text: string, next: Html | false = false): string {
  const main = html`<p class="lead" role="alert">${text}</p>${next}<p><a href="/">Back to the parts</a></p>`
  return layOut(title, main)
}

export function drawForeign(): string {
  const text = 'It was opened in another browser or for something else, and nothing was sent. Please open a new form.'
  return drawMessage('This form isn’t yours', text)
}

/** A button that sends exactly what was sent first: anything else would be refused. */
function drawRepeat(action: Action, { attempt, payload, token }: Submitted, label: string): Html {
  const { total: _, ...typed } = payload
  const fields = Object.entries({ attempt, ...typed, 'svc-captcha-response': token })
  return html`<form method="post" action="/${action}">
    ${fields.map(([name, value]) => drawHidden(name, value))}${drawSend(label)}</form>`
}

/** For a form that could not be opened (without `submitted`) or not be completed. */
export function drawAdvice({ title, text, next }: Advice, action: Action, submitted?: Submitted): string {
  const again = submitted
    ? drawRepeat(action, submitted, 'Try again')
    : html`<p><a class="button" href="/${action}">Try again</a></p>`
  return drawMessage(title, text, next !== 'leave' && again)
}

/** For a form that was submitted before with other content or another token. */
export function drawChanged(action: Action, submitted: Submitted, isDone: boolean): string {
  const thing = action === 'checkout' ? 'order' : 'sign-up'
  const state = isDone ? 'was accepted' : 'is not confirmed yet'
  const first = isDone
    ? html`<p><a class="button" href="/receipts/${submitted.attempt}">See your ${thing}</a></p>`
    : drawRepeat(action, submitted, `Send the first ${thing} again`)
  return drawMessage(
    `This ${thing} was already sent with other content`,
    `Your change was not accepted. The ${thing} that you sent first ${state}.`,
    html`${first}<p><a href="/${action}">Open a new form</a></p>`,
  )
}

/** What a form shows: what was typed, what has to be corrected, and why it replaces another form. */
export type FormView = { readonly typed: Payload; readonly faults: Faults; readonly notice: string }

/** `widget` is the component of the form's intent. */
export function drawForm(action: Action, attempt: string, widget: Html, view: FormView): string {
  const { typed, faults, notice } = view
  const fault = (field: string) => faults[field] && html`<p class="fault" id="${field}-fault">${faults[field]}</p>`
  const mark = (field: string) => field in faults && html` aria-invalid="true" aria-describedby="${field}-fault"`
  const email = html`
  <label for="email">E-mail</label>
  <input id="email" name="email" type="email" autocomplete="email" maxlength="254" value="${typed['email']}"${mark('email')}>
  ${fault('email')}`
  const order = html`
  <fieldset>
    <legend>Which part?</legend>
    <div class="choices" id="product" tabindex="-1">${products.map(
      ({ slug, name, cents }) => html`
      <label class="choice">
        <input type="radio" name="product" value="${slug}"${typed['product'] === slug && html` checked`}>
        ${drawPart(slug)}<span>${name} ${drawPrice(cents)}</span>
      </label>`,
    )}</div>
    ${fault('product')}
  </fieldset>
  <label for="quantity">Quantity</label>
  <select id="quantity" name="quantity"${mark('quantity')}>${Array.from({ length: 9 }, (_, index) =>
    drawOption(`${index + 1}`, `${index + 1}`, typed['quantity']),
  )}</select>
  ${fault('quantity')}
  <label for="name">Name</label>
  <input id="name" name="name" autocomplete="name" maxlength="80" value="${typed['name']}"${mark('name')}>
  ${fault('name')}
  ${email}
  <label for="address">Delivery address</label>
  <textarea id="address" name="address" autocomplete="street-address" rows="3" maxlength="300"${mark('address')}>${typed['address']}</textarea>
  ${fault('address')}`
  const [title, button] = action === 'checkout' ? ['Your order', 'Place the order'] : ['Newsletter', 'Sign me up']
  const links = Object.entries(faults).map(([field, message]) => html`<li><a href="#${field}">${message}</a></li>`)
  const main = html`
${drawNotice(notice)}
${links.length > 0 && html`<div class="notice" role="alert" tabindex="-1" autofocus><ul>${links}</ul></div>`}
<form method="post" action="/${action}" novalidate>
  ${drawHidden('attempt', attempt)}
  ${action === 'checkout' ? order : email}
  <div class="check" id="check" tabindex="-1">${widget}${fault('check')}</div>
  ${drawSend(button)}
</form>`
  return layOut(title, main, `/${action}`)
}

export function drawReceipt(sale: Activity, notice = ''): string {
  const { payload, number, decision_id: decisionId } = sale
  const product = findProduct(payload['product'])
  const title = product ? `Thank you, ${payload['name']}` : 'You’re on the list'
  const main = html`
${drawNotice(notice)}
${
  product
    ? html`<p class="lead">Your order <strong>PW-${number}</strong> leaves tomorrow.</p>
<dl>
  <div><dt>Part</dt><dd>${payload['quantity']} × ${product.name}</dd></div>
  <div><dt>To</dt><dd class="address">${payload['address']}</dd></div>
  <div><dt>Invoice</dt><dd>${payload['email']}</dd></div>
  <div><dt>Total</dt><dd>${drawPrice(Number(payload['total']))}</dd></div>
</dl>`
    : html`<p class="lead">The next newsletter comes on Sunday, to ${payload['email']}.</p>`
}
${drawExemption(sale)}
<p>Checked by Tollgate as <code>${decisionId}</code></p>
<p><a class="button" href="/">Back to the parts</a></p>`
  return layOut(title, main)
}

function drawExemption({ id, exemption, exempt_until: until }: Activity): Html | null {
  switch (exemption) {
    case 'offered':
      return html`<form class="panel" method="post" action="/exemptions">
  <p>Your next form within 15 minutes can do without the check.</p>
  ${drawHidden('attempt', id)}${drawSend('Skip the check next time on this device', 'quiet')}</form>`
    case 'ready':
      return html`<p class="panel">Your next form on this device skips the check, until ${drawMoment(until)} UTC.
  You can undo this under <a href="/activity">Your activity</a>.</p>`
    case 'skipped':
      return html`<p>The check was skipped this time, as you asked.</p>`
    case 'over':
      return html`<p>The exemption from the check was used, has expired or was forgotten.</p>`
    case null:
      return null
  }
}

const outcomes = { confirmed_abuse: 'Confirmed abuse', legitimate: 'Legitimate', unknown: 'Unknown' }

/** The latest report on a decision, and the form to send one. A real shop has this in its back office. */
function drawReport({ id, event_id: eventId, outcome, revision, correctable_until: until }: Activity): Html {
  const [name, button] = revision
    ? ['Correct the report', 'Send the correction']
    : ['Report this decision', 'Send the report']
  const state = revision ? html`revision ${revision}, can be corrected until ${drawMoment(until)}` : 'not delivered yet'
  return html`${eventId !== null && html`<p><strong>${outcomes[outcome]}</strong> ${state}</p>`}
<details>
  <summary>${name}</summary>
  <form method="post" action="/reports">
    ${drawHidden('attempt', id)}
    <label>What became of it? <select name="outcome">${Object.entries(outcomes).map(([value, label]) =>
      drawOption(value, label, outcome),
    )}</select></label>
    ${drawSend(button, 'quiet')}
  </form>
</details>`
}

export function drawActivity(lines: readonly Activity[], notice = ''): string {
  const main = html`
<p class="lead">The forms that this browser has opened, and their results.</p>
${drawNotice(notice)}
<div class="scroll" tabindex="0" role="region" aria-label="Forms">
<table>
  <thead><tr>${['When (UTC)', 'Form', 'State', 'Result', 'Intent, decision', 'Report'].map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
  <tbody>${lines.map(
    (line) => html`
    <tr>
      <td>${drawMoment(line.created_at)}</td>
      <td>${line.action === 'checkout' ? 'Order' : 'Newsletter'}</td>
      <td>${line.state}</td>
      <td>${drawResult(line)}</td>
      <td><code>${line.intent_id}</code> <code>${line.decision_id}</code></td>
      <td>${line.number !== null && drawReport(line)}</td>
    </tr>`,
  )}</tbody>
</table>
</div>
<form method="post" action="/exemptions/forget">
  <p>Did you ask us to skip the check on this device? This undoes it.</p>
  ${drawSend('Forget this device', 'quiet')}
</form>`
  return layOut('Your activity', main, '/activity')
}

function drawResult({ id, action, number, refusal }: Activity): Html {
  if (number === null) return html`<code>${refusal ?? '–'}</code>`
  return html`<a href="/receipts/${id}">${action === 'checkout' ? `PW-${number}` : 'Subscribed'}</a>`
}
