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
  readonly callback: RenderOptions['callback']
  readonly errorCallback: RenderOptions['errorCallback']
  readonly expiredCallback: RenderOptions['expiredCallback']
  readonly responseFieldName: string
  readonly tabindex: number
}

const REQUIRED = ['sitekey', 'intent', 'endpoint'] as const

/** The attributes whose changes are observed. */
export const ATTRIBUTES = [...REQUIRED, 'theme', 'size', 'language', 'renew', 'tabindex'].map((name) => `data-${name}`)

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
  /** Empty if the value is not a URL. */
  const readUrl = (name: keyof RenderOptions) => {
    const value = read(name)
    try {
      return value && new URL(value, container.baseURI).href
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
    language: read('language') || container.closest<HTMLElement>('[lang]')?.lang || navigator.language,
    start: oneOf('start', ['auto', 'focus', 'submit']),
    renew: read('renew') && renew.startsWith(`${location.origin}/`) && renew,
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
