import { formatPrice, products } from './catalogue.ts'
import { bicycle, drawPart } from './drawings.ts'
import type { Action } from './fields.ts'
import { type Html, html } from './html.ts'
import { layOut, type Page } from './layout.ts'
import type { Advice } from './refusals.ts'
import type { Frozen } from './store.ts'

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

/** What was submitted first, under its attempt. */
export type Submitted = { readonly attempt: string; readonly frozen: Frozen }

/** A button that sends exactly what was sent first. Anything else would be refused. */
function drawRepeat(action: Action, { attempt, frozen: { payload, token } }: Submitted, label: string): Html {
  const { total: _, ...typed } = payload
  const fields = Object.entries({ attempt, ...typed, 'svc-captcha-response': token })
  return html`<form method="post" action="/${action}">
    ${fields.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
    <div class="send"><button type="submit">${label}</button><p class="progress" role="status"></p></div>
  </form>`
}

/** The message for the visitor if a form could not be opened (`submitted` absent) or not be completed. */
export function drawAdvice(
  advice: Advice,
  action: Action,
  retryAfter: number | undefined,
  submitted?: Submitted,
): Page {
  const again =
    submitted === undefined
      ? html`<p><a class="button" href="/${action}">Try again</a></p>`
      : drawRepeat(action, submitted, 'Try again')
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

const NAMES: Readonly<Record<Action, { thing: string; repeat: string; renew: string }>> = {
  checkout: { thing: 'order', repeat: 'Send the order as it was', renew: 'Start another order' },
  signup: { thing: 'sign-up', repeat: 'Send the sign-up as it was', renew: 'Start another sign-up' },
}

/** What the visitor sees whose form was already sent, with other content or another token. */
export function drawChanged(action: Action, submitted: Submitted, isDone: boolean): Page {
  const { thing, repeat, renew } = NAMES[action]
  const title = `This ${thing} was already sent with other content`
  const main = html`
<section class="sheet advice">
  <h1>${title}</h1>
  <p class="lead" role="alert">Your change was not accepted. ${
    isDone ? `The ${thing} as you sent it first is done.` : `The ${thing} as you sent it first is not confirmed yet.`
  }</p>
  ${
    isDone
      ? html`<p><a class="button" href="/receipts/${submitted.attempt}">See your ${thing}</a></p>`
      : drawRepeat(action, submitted, repeat)
  }
  <p><a href="/${action}">${renew}</a></p>
</section>`
  return layOut({ title, main, status: 409 })
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

/** The page for someone who submits a form that was not opened for them. */
export function drawForeign(): Page {
  const text =
    'It was opened in another browser or for something else. Please open it again from our pages; nothing was sent.'
  return drawNotice(403, 'This form isn’t yours', text)
}
