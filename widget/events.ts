import type { EventDetails } from './types.ts'

/** Dispatches the bubbling event `svc-captcha:<name>` on the container. */
export function emit<Name extends keyof EventDetails>(
  container: Element,
  name: Name,
  detail: EventDetails[Name],
): void {
  container.dispatchEvent(new CustomEvent(`svc-captcha:${name}`, { bubbles: true, composed: true, detail }))
}

/**
 * Calls a function of the page, given itself or by the name of a global one. In a turn of its own: what it throws is
 * the page's to see in its console, and must not stop the component.
 */
export function callPage(target: unknown, ...values: unknown[]): void {
  const found: unknown = typeof target === 'string' ? Reflect.get(window, target) : target
  if (typeof found === 'function') queueMicrotask(() => void Reflect.apply(found, undefined, values))
}
