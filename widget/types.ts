/** The component's public types: the API on `window`, the options and the events. */

/** The most common error codes of the service, and three of the component. Later versions may add codes. */
export type ErrorCode =
  | 'missing-option'
  | 'network'
  | 'unsupported'
  | 'bad-request'
  | 'challenge-expired'
  | 'intent-expired'
  | 'internal-error'
  | 'origin-not-allowed'
  | 'rate-limited'
  | 'site-disabled'
  | 'solution-invalid'
  | 'unavailable'
  | (string & Record<never, never>)

export type Theme = 'auto' | 'light' | 'dark'
export type Size = 'normal' | 'compact' | 'flexible' | 'invisible'
export type Start = 'auto' | 'focus' | 'submit'

/** The `data-` attributes without `data-`, in camel case, as in `element.dataset`; each overrides its attribute. */
export interface RenderOptions {
  sitekey?: string
  intent?: string
  endpoint?: string
  theme?: Theme
  size?: Size
  /** BCP 47, for instance `de` or `pt-BR`. */
  language?: string
  start?: Start
  /** A path on the page's own origin. Once the intent has expired, a POST to it must return a new `{"intent_id"}`. */
  renew?: string
  /** A header of that POST, as `Name: value`. Default: `X-CSRF-Token` with the content of `<meta name="csrf-token">`, if any. */
  renewHeader?: string
  /** A function, or the name of one on `window`, such as `app.verified`. It may be defined later. */
  callback?: string | ((token: string) => void)
  errorCallback?: string | ((code: ErrorCode) => void)
  expiredCallback?: string | (() => void)
  /** Default: `svc-captcha-response`. Fields of this name in the form are filled; without one, a field that is not shown is added. */
  responseFieldName?: string
  tabindex?: string | number
}

/**
 * The ID that `render` returned, the container element, or a selector of it. An ID or selector that never named a component is a
 * `TypeError`; those of removed components are ignored.
 */
export type WidgetRef = string | Element

export interface SvcCaptcha {
  /** Calls `fn` when the document has been parsed, immediately if it is. */
  ready(fn: () => void): void
  /** Renders into `el` (an element or a selector), replacing its widget if there is one. A `TypeError` if it is not found. */
  render(el: HTMLElement | string, options?: RenderOptions): string
  /** Starts the verification now, regardless of `start`. Also retries after an error. */
  execute(ref: WidgetRef): void
  /** Discards the token and starts again, with a new intent if `intent` is set. */
  reset(ref: WidgetRef, options?: { intent?: string }): void
  remove(ref: WidgetRef): void
  /** The token, or an empty string while there is none. */
  getResponse(ref: WidgetRef): string
  isExpired(ref: WidgetRef): boolean
}

/** Details of the bubbling events `svc-captcha:<name>`; `id` is the widget's. */
export interface EventDetails {
  ready: { id: string }
  /** 0 … 1 */
  progress: { id: string; ratio: number }
  solved: { id: string; response: string }
  expired: { id: string }
  /**
   * `field`: the field that caused `bad-request`, the missing attributes, `renew` for a failed renewal, or `answer` if something
   * else than the service answered.
   */
  error: { id: string; code: ErrorCode; requestId?: string | undefined; field?: string | undefined }
}

declare global {
  interface Window {
    svcCaptcha?: SvcCaptcha
  }
  interface HTMLElementEventMap {
    'svc-captcha:ready': CustomEvent<EventDetails['ready']>
    'svc-captcha:progress': CustomEvent<EventDetails['progress']>
    'svc-captcha:solved': CustomEvent<EventDetails['solved']>
    'svc-captcha:expired': CustomEvent<EventDetails['expired']>
    'svc-captcha:error': CustomEvent<EventDetails['error']>
  }
}
