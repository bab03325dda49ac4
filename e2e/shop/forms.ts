import { renderWidget } from '@tollgate/node'
import { formatPrice, products } from './catalogue.ts'
import type { OpenForm } from './checkout.ts'
import { drawPart } from './drawings.ts'
import type { Action, Fault, Payload } from './fields.ts'
import { Html, html } from './html.ts'
import { layOut, type Page } from './layout.ts'

/** Everything that a form page shows. */
export type FormView = {
  readonly form: OpenForm
  readonly sitekey: string
  /** Base address of Tollgate for the browser. */
  readonly endpoint: string
  readonly typed: Payload
  readonly faults: readonly Fault[]
  /** Said above the form when it replaces one that did not go through. */
  readonly notice: string | undefined
  readonly status: number
}

/** The page of an action's form. Its path is the action's name. */
export function drawForm(action: Action, view: FormView): Page {
  const { title, lead, button, fields } = action === 'checkout' ? checkoutForm(view) : signupForm(view)
  const main = html`
<section class="sheet ${action}">
  <h1>${title}</h1>
  <p class="lead">${lead}</p>
  ${view.notice !== undefined && html`<div class="notice" role="alert" tabindex="-1" autofocus>${view.notice}</div>`}
  ${view.faults.length > 0 && drawSummary(view.faults)}
  <form method="post" action="/${action}" novalidate>
    <input type="hidden" name="attempt" value="${view.form.attempt}">
    ${fields}
    <div class="check" id="check" tabindex="-1">
      ${drawCheck(view)}
      ${drawFault(view.faults, 'check')}
    </div>
    <div class="send"><button type="submit">${button}</button><p class="progress" role="status"></p></div>
  </form>
</section>`
  const error = view.faults.length > 0 ? 'Error: ' : ''
  return layOut({ title: error + title, main, status: view.status, here: `/${action}`, widget: view.endpoint })
}

const NOSCRIPT =
  'To keep robots out, your browser does a short calculation here. Please switch on JavaScript and reload this page.'

function drawCheck({ sitekey, endpoint: url, form: { intentId } }: FormView): Html {
  return new Html(renderWidget({ url, sitekey, intentId, renew: '/renew', noscript: NOSCRIPT }))
}

type FormParts = { title: string; lead: string; button: string; fields: Html }

function checkoutForm({ typed, faults }: FormView): FormParts {
  return {
    title: 'Your order',
    lead: 'Packed by hand, posted tomorrow. You pay by invoice once it has arrived.',
    button: 'Place the order',
    fields: html`
    <fieldset${linkFault(faults, 'product')}>
      <legend>Which part?</legend>
      <div class="choices">
        ${products.map(
          (product, index) => html`
        <label class="choice">
          <input type="radio" name="product" value="${product.slug}"${index === 0 && html` id="product"`}${typed.product === product.slug && html` checked`}>
          ${drawPart(product.slug)}
          <span class="choice-name">${product.name}</span>
          <span class="price">${formatPrice(product.cents)}</span>
        </label>`,
        )}
      </div>
      ${drawFault(faults, 'product')}
    </fieldset>
    <div class="field narrow">
      <label for="quantity">Quantity</label>
      <select id="quantity" name="quantity"${linkFault(faults, 'quantity')}>
        ${['1', '2', '3', '4', '5', '6', '7', '8', '9'].map(
          (quantity) => html`<option${typed.quantity === quantity && html` selected`}>${quantity}</option>`,
        )}
      </select>
      ${drawFault(faults, 'quantity')}
    </div>
    <div class="pair">
      <div class="field">
        <label for="name">Name</label>
        <input id="name" name="name" autocomplete="name" maxlength="80" value="${typed.name}"${linkFault(faults, 'name')}>
        ${drawFault(faults, 'name')}
      </div>
      ${emailField('For the invoice and nothing else', typed, faults)}
    </div>
    <div class="field">
      <label for="address">Delivery address</label>
      <textarea id="address" name="address" autocomplete="street-address" rows="3" maxlength="300"${linkFault(faults, 'address')}>${typed.address}</textarea>
      ${drawFault(faults, 'address')}
    </div>`,
  }
}

function signupForm({ typed, faults }: FormView): FormParts {
  return {
    title: 'The Sunday letter',
    lead: 'One repair, one ride and one old catalogue page, every Sunday morning. Leave whenever you like.',
    button: 'Sign me up',
    fields: emailField('We write on Sundays only', typed, faults),
  }
}

function emailField(hint: string, typed: Payload, faults: readonly Fault[]): Html {
  return html`
      <div class="field">
        <label for="email">E-mail <span class="hint">${hint}</span></label>
        <input id="email" name="email" type="email" autocomplete="email" maxlength="254" value="${typed.email}"${linkFault(faults, 'email')}>
        ${drawFault(faults, 'email')}
      </div>`
}

function drawSummary(faults: readonly Fault[]): Html {
  return html`<div class="summary" role="alert" tabindex="-1" autofocus>
    <h2>Please look at this again</h2>
    <ul>${faults.map(({ field, message }) => html`<li><a href="#${field}">${message}</a></li>`)}</ul>
  </div>`
}

function drawFault(faults: readonly Fault[], field: string): Html | undefined {
  const fault = faults.find((candidate) => candidate.field === field)
  return fault && html`<p class="fault" id="${field}-fault">${fault.message}</p>`
}

function linkFault(faults: readonly Fault[], field: string): Html | undefined {
  const faulty = faults.some((fault) => fault.field === field)
  return faulty ? html` aria-invalid="true" aria-describedby="${field}-fault"` : undefined
}
