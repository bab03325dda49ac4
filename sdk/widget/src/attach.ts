import type { ErrorCode, RenderOptions } from '../../../widget/types.ts'
import { load } from './load.ts'

type Replaced = 'endpoint' | 'sitekey' | 'intent' | 'callback' | 'errorCallback' | 'expiredCallback'

/** The options of the component, with functions in place of its callbacks. */
export interface TollgateOptions extends Omit<RenderOptions, Replaced> {
  /** The address of the deployment. */
  url: string
  sitekey: string
  /**
   * The id of the intent that your backend opened for this form, or a function that fetches one. The function is called when
   * the component is shown, after each expiry unless `renew` is set, and by `reset`; `signal` aborts when its result is no
   * longer needed. Another id restarts the component, another function does not.
   */
  intent: string | ((signal: AbortSignal) => Promise<string>)
  onSolved?: ((token: string) => void) | undefined
  onExpired?: (() => void) | undefined
  /** Also called with `network` if `widget.js` did not load or the function `intent` failed. */
  onError?: ((code: ErrorCode) => void) | undefined
}

export interface Attachment {
  /** Starts again, with a new intent if `intent` is a function. Tries again after an error. */
  reset: () => void
  /** Ends all that this package does for the element. The component ends when the element leaves the document. */
  detach: () => void
}

type Attribute = Exclude<keyof TollgateOptions, 'url' | 'onSolved' | 'onExpired' | 'onError'>

const ATTRIBUTES = {
  sitekey: 'data-sitekey',
  intent: 'data-intent',
  theme: 'data-theme',
  size: 'data-size',
  language: 'data-language',
  start: 'data-start',
  renew: 'data-renew',
  renewHeader: 'data-renew-header',
  responseFieldName: 'data-response-field-name',
  tabindex: 'data-tabindex',
} satisfies Record<Attribute, string>

/** The attributes of the element. Without an intent it lacks the class that lets the component render it by itself. */
export function attributesOf(options: TollgateOptions): Record<string, string> {
  const attributes: Record<string, string> = { 'data-endpoint': options.url }
  for (const [option, name] of Object.entries(ATTRIBUTES)) {
    const value = options[option as Attribute]
    if (value !== undefined && typeof value !== 'function') attributes[name] = String(value)
  }
  return attributes['data-intent'] === undefined ? attributes : { class: 'svc-captcha', ...attributes }
}

/**
 * Shows the component in `element`, which has the attributes of the options. `read` returns the current options; `change` gets
 * the token, or an empty string while there is none.
 */
export function attach(
  element: HTMLElement,
  read: () => TollgateOptions,
  change: (token: string) => void = () => undefined,
): Attachment {
  const lifetime = new AbortController()
  const { signal } = lifetime
  let attempt = new AbortController()
  let token = ''

  function update(): void {
    const now = window.svcCaptcha?.getResponse(element) ?? ''
    if (signal.aborted || now === token) return
    token = now
    change(token)
    if (token) read().onSolved?.(token)
  }

  async function start(fetches: boolean): Promise<void> {
    attempt.abort()
    attempt = new AbortController()
    const current = attempt.signal
    const { url, intent } = read()
    try {
      const fetched = fetches && typeof intent === 'function' ? intent(current) : undefined
      const [captcha, next] = await Promise.all([load({ url }), fetched])
      if (current.aborted) return
      if (!element.hasChildNodes()) {
        if (next !== undefined) element.dataset['intent'] = next
        captcha.render(element)
      } else if (next !== undefined) captcha.reset(element, { intent: next })
      update()
    } catch {
      if (!current.aborted) read().onError?.('network')
    }
  }

  for (const name of ['ready', 'progress', 'solved'] as const)
    element.addEventListener(`svc-captcha:${name}`, update, { signal })
  element.addEventListener(
    'svc-captcha:error',
    ({ detail }) => {
      update()
      read().onError?.(detail.code)
    },
    { signal },
  )
  element.addEventListener(
    'svc-captcha:expired',
    () => {
      update()
      const { intent, renew, onExpired } = read()
      onExpired?.()
      if (typeof intent === 'function' && !renew) void start(true)
    },
    { signal },
  )
  // Another intent restarts the component. It observes the attribute, too, and earlier.
  const observer = new MutationObserver(update)
  observer.observe(element, { attributeFilter: ['data-intent'] })
  // Hot reload attaches, detaches and attaches again at once: this fetches one intent for it.
  queueMicrotask(() => {
    if (!signal.aborted) void start(!element.dataset['intent'])
  })

  return {
    reset: () => {
      if (typeof read().intent === 'function' || !element.hasChildNodes()) return void start(true)
      window.svcCaptcha?.reset(element)
      update()
    },
    detach: () => {
      lifetime.abort()
      attempt.abort()
      observer.disconnect()
      if (token) change('')
    },
  }
}
