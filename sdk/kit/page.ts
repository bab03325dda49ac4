import { type HTMLElement, parse } from 'node-html-parser'

/** Name and value pairs, as a browser would send them. */
export type Values = [name: string, value: string][]

/** A form of a page. */
export type Form = {
  /** Absolute URL of its action. */
  action: string
  method: string
  multipart: boolean
  /** The values that it sends without input: hidden fields, preselected choices, the first named submit button. */
  values: Values
  /** Names of its hidden fields. */
  hidden: string[]
  /** The widget in it, if there is one. */
  widget: Widget | undefined
}

export type Widget = { intent: string; sitekey: string; tokenField: string; callbacks: string[] }

/** An answer of the merchant after all redirections. */
export type Page = {
  url: string
  /** Status of the answer to the request itself. */
  firstStatus: number
  /** Status of the page that the redirections led to. */
  status: number
  headers: Record<string, string | string[] | undefined>
  body: string
  /** The URLs of all redirections. */
  locations: string[]
}

/** The page's forms in order. */
export function formsOf(page: Page): Form[] {
  return parse(page.body)
    .querySelectorAll('form')
    .map((form) => readForm(form, page.url))
}

/** The form with the widget, if the page has one. */
export const protectedForm = (page: Page): Form | undefined => formsOf(page).find(({ widget }) => widget)

/** The visible text of the page. */
export function textOf({ body, headers }: Page): string {
  if (/json/.test(String(headers['content-type']))) return ''
  const root = parse(body.replace(/<!doctype[^>]*>/i, ''))
  for (const unseen of root.querySelectorAll('script, style, head, title, template, noscript')) unseen.remove()
  return root.structuredText.trim()
}

/** Whether the page offers a way to continue: a form to send again, or a link to the form's own URL. */
export function offersAgain(page: Page, form: string): boolean {
  const path = new URL(form).pathname
  const isForm = (address: string) => URL.canParse(address, page.url) && new URL(address, page.url).pathname === path
  const root = parse(page.body)
  return (
    root.querySelectorAll('a').some((link) => isForm(link.getAttribute('href') ?? '/none')) ||
    formsOf(page).some(({ action }) => isForm(action))
  )
}

function readForm(form: HTMLElement, url: string): Form {
  const controls = form.querySelectorAll('input, select, textarea, button')
  const values: Values = []
  let submitter: [string, string] | undefined
  for (const control of controls) {
    const name = control.getAttribute('name')
    if (!name || control.hasAttribute('disabled')) continue
    const type = (control.getAttribute('type') ?? '').toLowerCase()
    const value = control.getAttribute('value') ?? ''
    if (control.tagName === 'BUTTON' || type === 'submit') {
      if (type === '' || type === 'submit') submitter ??= [name, value]
    } else if (control.tagName === 'SELECT') {
      const options = control.querySelectorAll('option')
      const option = options.find((each) => each.hasAttribute('selected')) ?? options[0]
      if (option) values.push([name, option.getAttribute('value') ?? option.text.trim()])
    } else if (control.tagName === 'TEXTAREA') values.push([name, control.text])
    else if (type === 'radio' || type === 'checkbox') {
      if (control.hasAttribute('checked')) values.push([name, control.getAttribute('value') ?? 'on'])
    } else if (!['file', 'image', 'reset', 'button'].includes(type)) values.push([name, value])
  }
  if (submitter) values.push(submitter)
  const hidden = controls
    .filter((control) => control.getAttribute('type')?.toLowerCase() === 'hidden')
    .flatMap((control) => control.getAttribute('name') ?? [])
  const widget = form.querySelector('.svc-captcha')
  return {
    action: resolve(form.getAttribute('action'), url),
    method: (form.getAttribute('method') ?? 'get').toUpperCase(),
    multipart: /multipart/i.test(form.getAttribute('enctype') ?? ''),
    values,
    hidden,
    widget: widget ? readWidget(widget) : undefined,
  }
}

function readWidget(widget: HTMLElement): Widget {
  const attribute = (name: string) => widget.getAttribute(`data-${name}`)
  return {
    intent: attribute('intent') ?? '',
    sitekey: attribute('sitekey') ?? '',
    tokenField: attribute('response-field-name') ?? 'svc-captcha-response',
    callbacks: ['callback', 'error-callback', 'expired-callback'].flatMap((name) => attribute(name) ?? []),
  }
}

/** Replaces the values of the same names. */
export function withValues(values: Values, changes: Record<string, string | undefined>): Values {
  const kept = values.filter(([name]) => !(name in changes))
  const added = Object.entries(changes).filter((pair): pair is [string, string] => pair[1] !== undefined)
  return [...kept, ...added]
}

const resolve = (address: string | undefined, base: string): string =>
  address && URL.canParse(address, base) ? new URL(address, base).href : base
