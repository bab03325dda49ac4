/** What happens in the form around a widget, as far as the widget takes part in it. */
export interface FormEvents {
  /** The visitor put the focus into the form. */
  onFocus(): void
  /** The form is about to be sent; true holds it back until `release`. */
  onSubmit(): boolean
  /** The form's values were collected, so the token may be on its way. */
  onCollect(): void
}

export interface FormWatch {
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
  const root = container.isConnected ? container.getRootNode() : document
  let held: { form: HTMLFormElement; submitter: HTMLElement | null } | undefined

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
    if (!isOurs(form) || !events.onSubmit()) return
    event.preventDefault()
    event.stopImmediatePropagation()
    held = { form, submitter: (event as SubmitEvent).submitter }
  }
  const collected = ({ target }: Event) => {
    if (isOurs(target)) events.onCollect()
  }

  const watch = new AbortController()
  const options = { capture: true, signal: watch.signal }
  root.addEventListener('focusin', focused, options)
  root.addEventListener('submit', submitted, options)
  root.addEventListener('formdata', collected, options)

  return {
    hasFocus: () => concerns(document.activeElement),
    release: () => {
      if (!held) return
      const { form, submitter } = held
      held = undefined
      try {
        HTMLFormElement.prototype.requestSubmit.call(form, submitter)
      } catch {
        // The page has made something else of the button meanwhile, or put it elsewhere.
        HTMLFormElement.prototype.requestSubmit.call(form)
      }
    },
    drop: () => {
      held = undefined
    },
    stop: () => watch.abort(),
  }
}
