import type { EventDetails } from './types.ts'

/** Dispatches the bubbling event `svc-captcha:<name>` on the container; a page that has broken events gets none. */
export function emit<Name extends keyof EventDetails>(
  container: Element,
  name: Name,
  detail: EventDetails[Name],
): void {
  attempt(() => {
    container.dispatchEvent(new CustomEvent(`svc-captcha:${name}`, { bubbles: true, composed: true, detail }))
  })
}

/** Calls a function of the page, given itself or by the name of a global one. */
export function callPage(target: unknown, ...values: unknown[]): void {
  const found: unknown = typeof target === 'string' ? Reflect.get(window, target) : target
  if (typeof found === 'function') attempt(() => void Reflect.apply(found, undefined, values))
}

/** What the page's own code throws is for the page to see in its console, and must not stop the component. */
export function attempt(task: () => void): void {
  try {
    task()
  } catch (error) {
    console.error(error)
  }
}
