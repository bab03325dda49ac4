import type { ActionReturn } from 'svelte/action'
import { attach, attributesOf, type TollgateOptions } from './attach.ts'

export type { TollgateOptions } from './attach.ts'
export { default as Tollgate } from './Tollgate.svelte'

/** An action: `<div use:tollgate={{ url, sitekey, intent }}></div>`. */
export function tollgate(element: HTMLElement, options: TollgateOptions): ActionReturn<TollgateOptions> {
  let current = options
  let shown: Record<string, string> = {}
  const attachment = attach(element, () => current)
  function update(next: TollgateOptions): void {
    current = next
    const attributes = attributesOf(next)
    for (const name of Object.keys(shown)) if (attributes[name] === undefined) element.removeAttribute(name)
    // The component replaces the intent when it is renewed, so only what the page has changed is written.
    for (const [name, value] of Object.entries(attributes)) {
      if (name === 'class') element.classList.add(value)
      else if (shown[name] !== value) element.setAttribute(name, value)
    }
    shown = attributes
  }
  update(options)
  return { update, destroy: attachment.detach }
}
