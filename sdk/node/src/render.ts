import { isOf, sitekey, uuid } from './grammars.ts'
import { readBase } from './url.ts'

/** Options of the component in your form. All but the first three have defaults. */
export interface WidgetOptions {
  /** Base address of the service as used by the visitor's browser. */
  url: string
  sitekey: string
  /** The intent that you opened and stored for this form. */
  intentId: string
  theme?: 'auto' | 'light' | 'dark' | undefined
  size?: 'normal' | 'compact' | 'flexible' | 'invisible' | undefined
  /** A BCP 47 tag such as `de`; default the page's. */
  language?: string | undefined
  /** When the work begins: at once, at the first focus in the form, or when it is submitted. */
  start?: 'auto' | 'focus' | 'submit' | undefined
  /** A path of your own server, such as `/signup/intent`, that returns a new intent once this one has expired. */
  renew?: string | undefined
  /** Name of a global function, called with the token. */
  callback?: string | undefined
  /** Name of a global function, called with the code. */
  errorCallback?: string | undefined
  /** Name of a global function. */
  expiredCallback?: string | undefined
  /** Name of the field for the token; default `svc-captcha-response`. */
  responseFieldName?: string | undefined
  /** -32768 to 32767. */
  tabindex?: number | undefined
  /** Text for a browser without JavaScript. */
  noscript?: string | undefined
}

/** Where the component's script is. */
export interface ScriptOptions {
  /** Base address of the service as used by the visitor's browser. */
  url: string
  /** The nonce of your Content-Security-Policy. */
  nonce?: string | undefined
}

type Attribute = readonly [option: keyof WidgetOptions, attribute: string, accepts: (value: unknown) => boolean]

const oneOf =
  (...values: string[]) =>
  (value: unknown) =>
    values.some((known) => known === value)
const matching =
  (pattern: RegExp) =>
  (value: unknown): value is string =>
    typeof value === 'string' && pattern.test(value)
/** Without control characters and lone surrogates. */
const isText = matching(/^[^\p{Control}\p{Surrogate}]+$/u)
/** Must be on the page's own origin: two slashes, or a backslash, would start a host name. */
const isPath = matching(/^\/(?![/\\])[^\p{Control}\p{Surrogate}]*$/u)
const isFunctionName = matching(/^[A-Za-z_$][\w$]*$/)
const isIndex = (value: unknown) => Number.isInteger(value) && Math.abs(Number(value) + 0.5) < 32_768

const ATTRIBUTES: readonly Attribute[] = [
  ['theme', 'theme', oneOf('auto', 'light', 'dark')],
  ['size', 'size', oneOf('normal', 'compact', 'flexible', 'invisible')],
  ['language', 'language', matching(/^(?=.{1,35}$)[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*$/)],
  ['start', 'start', oneOf('auto', 'focus', 'submit')],
  ['renew', 'renew', isPath],
  ['callback', 'callback', isFunctionName],
  ['errorCallback', 'error-callback', isFunctionName],
  ['expiredCallback', 'expired-callback', isFunctionName],
  ['responseFieldName', 'response-field-name', isText],
  ['tabindex', 'tabindex', isIndex],
]

/**
 * The component's element, as escaped HTML for a form. The page also needs `renderScript` once.
 *
 * @throws TypeError if an option is malformed, or unknown to the component
 */
export function renderWidget(options: WidgetOptions): string {
  const { url, intentId, noscript } = options
  const intent = typeof intentId === 'string' ? intentId.toLowerCase() : intentId
  const attributes = [
    write('sitekey', options.sitekey, isOf(sitekey, options.sitekey), 'a site key: tg_site_ and 20 letters or digits'),
    write('intent', intent, isOf(uuid, intent), 'the UUID of an intent', 'intentId'),
    `data-endpoint="${escape(requireBase(url))}"`,
    ...ATTRIBUTES.flatMap(([option, attribute, accepts]) => {
      const value = options[option]
      return value === undefined
        ? []
        : [write(attribute, value, accepts(value), 'a value that the component knows', option)]
    }),
  ]
  const element = `<div class="svc-captcha" ${attributes.join(' ')}></div>`
  if (noscript === undefined) return element
  if (!isText(noscript)) throw refuse('noscript', 'a text without control characters')
  return `${element}<noscript>${escape(noscript)}</noscript>`
}

/**
 * The component's script, once for each page, anywhere in it.
 *
 * @throws TypeError if an option is malformed
 */
export function renderScript({ url, nonce }: ScriptOptions): string {
  const source = escape(`${requireBase(url)}/widget.js`)
  if (nonce === undefined) return `<script src="${source}" async defer></script>`
  if (!matching(/^[A-Za-z0-9+/_-]+={0,2}$/)(nonce)) throw refuse('nonce', 'in base64')
  return `<script src="${source}" async defer nonce="${nonce}"></script>`
}

function write(attribute: string, value: unknown, accepted: boolean, expected: string, option = attribute): string {
  if (!accepted) throw refuse(option, expected)
  return `data-${attribute}="${escape(String(value))}"`
}

function requireBase(url: unknown): string {
  const base = readBase(url)
  if (base === undefined)
    throw refuse('url', 'the http(s) address of the service, without credentials, query or fragment')
  return base
}

const refuse = (option: string, expected: string) => new TypeError(`Tollgate: \`${option}\` has to be ${expected}.`)

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '`': '&#96;',
}

const escape = (text: string): string => text.replace(/[&<>"'`]/g, (character) => ENTITIES[character] ?? '')
