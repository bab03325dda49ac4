import { ownProperties } from './ownProperties.ts'
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
  /** The URL that returns a new intent; empty if not set, false if it is not on the page's own origin. */
  readonly renew: string | false
  /** `Name: value`, or empty. */
  readonly renewHeader: string
  readonly callback: RenderOptions['callback']
  readonly errorCallback: RenderOptions['errorCallback']
  readonly expiredCallback: RenderOptions['expiredCallback']
  readonly responseFieldName: string
  readonly tabindex: number
}

const REQUIRED = ['sitekey', 'intent', 'endpoint'] as const

/** The attributes whose changes are observed. */
export const ATTRIBUTES = [...REQUIRED, 'theme', 'size', 'language', 'renew', 'renew-header', 'tabindex'].map(
  (name) => `data-${name}`,
)

/**
 * The options of a widget: from `given`, else from the `data-` attributes of `container`, else the default. Invalid values
 * fall back to the default, so that a typo in a theme does not break the page's form.
 */
export function readOptions(
  container: Pick<HTMLElement, 'dataset' | 'baseURI' | 'closest'>,
  given: RenderOptions,
): Options {
  const attributes = ownProperties(container.dataset)
  const own = ownProperties(given)
  const pick = <Name extends keyof RenderOptions>(name: Name) => own[name] ?? attributes[name]
  const read = (name: keyof RenderOptions) => String(pick(name) ?? '').trim()
  const oneOf = <T extends string>(name: keyof RenderOptions, allowed: readonly [T, ...T[]]): T =>
    allowed.find((each) => each === read(name)) ?? allowed[0]
  const ownOrigin = `${self.origin}/`
  /** Empty if the value is not a URL. A `<base>` of another host is for the page's files, so it does not count. */
  const readUrl = (name: keyof RenderOptions) => {
    const value = read(name)
    try {
      const { baseURI } = container
      // An opaque origin has no paths of its own.
      const isOwn = self.origin === 'null' || baseURI.startsWith(ownOrigin)
      const base = isOwn ? baseURI : new URL(location.pathname, ownOrigin)
      return value && new URL(value, base).href
    } catch {
      return ''
    }
  }
  const renew = readUrl('renew')
  return {
    sitekey: read('sitekey'),
    intent: read('intent'),
    endpoint: readUrl('endpoint').replace(/\/+$/, ''),
    theme: oneOf('theme', ['auto', 'light', 'dark']),
    size: oneOf('size', ['normal', 'compact', 'flexible', 'invisible']),
    language:
      read('language') ||
      container.closest<HTMLElement>('[lang]')?.lang ||
      document.documentElement.lang ||
      navigator.language,
    start: oneOf('start', ['auto', 'focus', 'submit']),
    renew: read('renew') && renew.startsWith(ownOrigin) && renew,
    renewHeader: read('renewHeader'),
    callback: pick('callback'),
    errorCallback: pick('errorCallback'),
    expiredCallback: pick('expiredCallback'),
    responseFieldName: read('responseFieldName') || 'svc-captcha-response',
    tabindex: Number(read('tabindex')) || 0,
  }
}

/** The names of the missing required options, separated by commas; empty if none is missing. */
export function missingOptions(options: Options): string {
  return REQUIRED.filter((name) => !options[name]).join()
}

/** True if both name the same intent of the same service. */
export function isSameIntent(a: Options, b: Options): boolean {
  return REQUIRED.every((name) => a[name] === b[name])
}
