/** What happens in the form around a widget, as far as the widget takes part in it. */
export interface FormEvents {
  /** The visitor put the focus into the form. */
  onFocus(): void
  /** The form is about to be sent; true holds it back until `release`. */
  onSubmit(): boolean
  /** Something was typed or chosen, in whichever form of the page. */
  readonly onType: () => void
  /** The form's values were collected, so the token may be on its way. */
  onCollect(): void
}

export interface FormWatch {
  /** True while a form is held back. */
  isHeld(): boolean
  /** True if the focus is in the form already, as with `autofocus`. */
  hasFocus(): boolean
  /** Sends the form that was held back, by the same button. */
  readonly release: () => void
  /** Gives up the form that was held back: sending it stays the visitor's decision. */
  drop(): void
  stop(): void
}

/**
 * Watches from the root, in the capture phase: there a submit can be held before any listener of the page sees it,
 * and the form is looked up when something happens, so the container may be moved.
 */
export function watchForm(container: Element, events: FormEvents): FormWatch {
  const top = container.getRootNode()
  const root = top instanceof ShadowRoot ? top : document
  let held: { form: HTMLFormElement; submitter: HTMLButtonElement | null } | undefined

  const isOurs = (form: EventTarget | null): form is HTMLFormElement =>
    form instanceof HTMLFormElement && form === container.closest('form')
  const concerns = (target: EventTarget | null): boolean =>
    target instanceof Node &&
    target !== document.body &&
    !container.contains(target) &&
    // Not `form.contains`: a field may bear that name, and stand in the method's place.
    Node.prototype.contains.call(container.closest('form') ?? document.body, target)

  const focused = ({ target }: Event) => {
    if (concerns(target)) events.onFocus()
  }
  const submitted = (event: Event) => {
    const form = event.target
    const submitter = (event as SubmitEvent).submitter as HTMLButtonElement | null
    // A button that closes the dialog sends nothing.
    if (!isOurs(form) || submitter?.formMethod === 'dialog' || !events.onSubmit()) return
    event.preventDefault()
    event.stopImmediatePropagation()
    held = { form, submitter }
  }
  const collected = ({ target }: Event) => {
    if (isOurs(target)) events.onCollect()
  }

  const watch = new AbortController()
  const options = { capture: true, signal: watch.signal }
  root.addEventListener('focusin', focused, options)
  root.addEventListener('submit', submitted, options)
  root.addEventListener('formdata', collected, options)
  document.addEventListener('input', events.onType, options)

  return {
    isHeld: () => !!held,
    hasFocus: () => concerns(root.activeElement),
    release: () => {
      if (!held) return
      const { form, submitter } = held
      held = undefined
      try {
        // Safari has `requestSubmit` from 16 on.
        if (submitter && !('requestSubmit' in form)) submitter.click()
        else HTMLFormElement.prototype.requestSubmit.call(form, submitter)
      } catch {
        // The page has made something else of the button meanwhile, or put it elsewhere; or there was none to click.
        const button = document.createElement('button')
        Node.prototype.appendChild.call(form, button)
        button.click()
        button.remove()
      }
    },
    drop: () => {
      held = undefined
    },
    stop: () => watch.abort(),
  }
}
