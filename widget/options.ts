import type { RenderOptions, Size, Start, Theme } from './types.ts'

/** Options with every default filled in. */
export interface Options {
  readonly sitekey: string
  readonly intent: string
  /** Absolute, without a trailing slash. */
  readonly endpoint: string
  readonly theme: Theme
  readonly size: Size
  readonly language: string
  readonly start: Start
  readonly callback: RenderOptions['callback']
  readonly errorCallback: RenderOptions['errorCallback']
  readonly expiredCallback: RenderOptions['expiredCallback']
  readonly responseFieldName: string
  readonly tabindex: number
}

/** The attributes that are read, for whoever observes them. */
export const ATTRIBUTES = ['sitekey', 'intent', 'endpoint', 'theme', 'size', 'language'].map((name) => `data-${name}`)

/**
 * What the page asked for: `given` first, then the `data-` attributes of `container`, then defaults. Values that mean
 * nothing fall back to the default, so that a typo in a theme does not cost the page its form.
 */
export function readOptions(
  container: Pick<HTMLElement, 'dataset' | 'baseURI' | 'closest'>,
  given: RenderOptions,
): Options {
  const attributes = ownOf(container.dataset)
  const own = ownOf(given)
  const pick = <Name extends keyof RenderOptions>(name: Name) => own[name] ?? attributes[name]
  const read = (name: keyof RenderOptions) => String(pick(name) ?? '').trim()
  const oneOf = <T extends string>(name: keyof RenderOptions, allowed: readonly [T, ...T[]]): T =>
    allowed.find((each) => each === read(name)) ?? allowed[0]
  return {
    sitekey: read('sitekey'),
    intent: read('intent'),
    endpoint: readUrl(read('endpoint'), container.baseURI),
    theme: oneOf('theme', ['auto', 'light', 'dark']),
    size: oneOf('size', ['normal', 'compact', 'flexible', 'invisible']),
    language: read('language') || container.closest('[lang]')?.getAttribute('lang') || navigator.language,
    start: oneOf('start', ['auto', 'focus', 'submit']),
    callback: pick('callback'),
    errorCallback: pick('errorCallback'),
    expiredCallback: pick('expiredCallback'),
    responseFieldName: read('responseFieldName') || 'svc-captcha-response',
    tabindex: Number(read('tabindex')) || 0,
  }
}

/** False if a required option is absent, which the page is told as `missing-option`. */
export function isComplete(options: Options): boolean {
  return intentOf(options).every(Boolean)
}

/** True if both ask the same service for the same intent. */
export function isSameIntent(a: Options, b: Options): boolean {
  return intentOf(a).join() === intentOf(b).join()
}

function intentOf({ sitekey, intent, endpoint }: Options): string[] {
  return [sitekey, intent, endpoint]
}

/** Without what a page has put into `Object.prototype`: nobody asked for that. */
function ownOf<T extends object>(values: T): T {
  return { __proto__: null, ...values }
}

/** Empty if it is no URL. */
function readUrl(value: string, base: string): string {
  try {
    return value && new URL(value, base).href.replace(/\/+$/, '')
  } catch {
    return ''
  }
}
