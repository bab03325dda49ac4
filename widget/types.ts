/** What a page sees of the component: the API on `window`, the options, the events. */

/** Codes of the service that a page meets most, and three of the component's own; later versions may add some. */
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
  /** A path on the page's own origin: answers a POST with `{"intent_id"}` of a new intent, once this one has expired. */
  renew?: string
  /** A function, or the name of a global one. */
  callback?: string | ((token: string) => void)
  errorCallback?: string | ((code: ErrorCode) => void)
  expiredCallback?: string | (() => void)
  /** Default `svc-captcha-response`. A field of this name that the form already has is filled; else one is added. */
  responseFieldName?: string
  tabindex?: string | number
}

/** The id that `render` gave, or the container element itself. */
export type WidgetRef = string | Element

export interface SvcCaptcha {
  /** Calls `fn` as soon as the document is parsed, or at once if it is. */
  ready(fn: () => void): void
  /** Draws into `el` (an element or a selector), in place of what was drawn there before; throws if it is not found. */
  render(el: HTMLElement | string, options?: RenderOptions): string
  /** Begins the verification now, whatever `start` says; also the way to try again after an error. */
  execute(ref: WidgetRef): void
  /** Forgets the token and begins anew, with another intent if `intent` is given. */
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
  /** `field`: what `bad-request` is about, the attributes that are missing, or `renew` for a failed renewal. */
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
