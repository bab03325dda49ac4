import type { EventDetails } from './types.ts'

const RETRY_MS = 50

/** Dispatches the bubbling event `svc-captcha:<name>` on the container, unless the page has broken `CustomEvent`. */
export function emit<Name extends keyof EventDetails>(
  container: Element,
  name: Name,
  detail: EventDetails[Name],
): void {
  ignoreErrors(() => {
    container.dispatchEvent(new CustomEvent(`svc-captcha:${name}`, { bubbles: true, composed: true, detail }))
  })
}

/**
 * Calls a function of the page, given as a function or by its name on `window`, such as `app.done`. Scripts that define it may run
 * later, so a missing one is looked up again, at intervals that double once the page has loaded, as long as `isDue`.
 */
export function callPage(target: unknown, values: unknown[], isDue?: () => boolean, wait = RETRY_MS): void {
  if (isDue && !isDue()) return
  try {
    let owner: unknown
    const found =
      typeof target === 'string'
        ? target.split('.').reduce<unknown>((object, name) => {
            owner = object
            return (object as Record<string, unknown> | undefined)?.[name]
          }, window)
        : target
    if (typeof found === 'function') Reflect.apply(found, owner, values)
    else if (target) {
      const loaded = document.readyState === 'complete'
      // oxlint-disable-next-line no-console -- the browser's console is where developers look for the cause
      if (loaded && wait === RETRY_MS) console.error('Tollgate:', `window.${target as string} is not a function`)
      setTimeout(callPage, wait, target, values, isDue, loaded ? wait * 2 : wait)
    }
  } catch (error) {
    // An error of the page's own code is reported to the page and does not stop the component.
    window.reportError?.(error)
  }
}

/** Runs a task whose failure means that the page has removed or replaced a standard API. */
export function ignoreErrors(task: () => void): void {
  try {
    task()
  } catch {
    // There is no way left to report it.
  }
}
