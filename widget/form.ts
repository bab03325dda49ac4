/** Events of the form around a widget. */
export interface FormEvents {
  /** The focus entered the form. */
  onFocus(): void
  /** The form is about to be submitted. Returns true to delay it until `submitPending`. */
  onSubmit(): boolean
  /** Something was typed or chosen, in any form of the page. */
  readonly onType: () => void
  /** The form's values were collected, so the token may be on its way. */
  onCollect(): void
}

export interface FormWatch {
  /** True while a delayed form waits for `submitPending`. */
  isPending(): boolean
  /** True if the focus is in the form already, as with `autofocus`. */
  isFocused(): boolean
  /** Submits the delayed form, with the same submit button. */
  readonly submitPending: () => void
  /** Discards the delayed submit: the visitor has to submit again. */
  cancel(): void
  disconnect(): void
}

/**
 * Listens on the root in the capture phase, so that a submit can be stopped before the page's listeners see it. The form
 * is looked up for each event, so the container can be moved.
 */
export function watchForm(container: Element, events: FormEvents): FormWatch {
  const top = container.getRootNode()
  const root = top instanceof ShadowRoot ? top : document
  let pending: { form: HTMLFormElement; submitter: HTMLButtonElement | null } | undefined

  const isOwnForm = (form: EventTarget | null): form is HTMLFormElement =>
    form instanceof HTMLFormElement && form === container.closest('form')
  const isInForm = (target: EventTarget | null): boolean =>
    target instanceof Node &&
    target !== document.body &&
    !container.contains(target) &&
    // Not `form.contains`: a field named `contains` would replace the method.
    Node.prototype.contains.call(container.closest('form') ?? document.body, target)

  const focused = ({ target }: Event) => {
    if (isInForm(target)) events.onFocus()
  }
  const submitted = (event: Event) => {
    const form = event.target
    const submitter = (event as SubmitEvent).submitter as HTMLButtonElement | null
    // A button that closes a dialog submits nothing.
    if (!isOwnForm(form) || submitter?.formMethod === 'dialog' || !events.onSubmit()) return
    event.preventDefault()
    event.stopImmediatePropagation()
    pending = { form, submitter }
  }
  const collected = ({ target }: Event) => {
    if (isOwnForm(target)) events.onCollect()
  }

  const listening = new AbortController()
  const options = { capture: true, signal: listening.signal }
  root.addEventListener('focusin', focused, options)
  root.addEventListener('submit', submitted, options)
  root.addEventListener('formdata', collected, options)
  document.addEventListener('input', events.onType, options)

  return {
    isPending: () => !!pending,
    isFocused: () => isInForm(root.activeElement),
    submitPending: () => {
      if (!pending) return
      const { form, submitter } = pending
      pending = undefined
      try {
        // Safari supports `requestSubmit` from version 16.
        if (submitter && !('requestSubmit' in form)) submitter.click()
        else HTMLFormElement.prototype.requestSubmit.call(form, submitter)
      } catch {
        // The submit button is no longer one of this form, or there was none to click.
        const button = document.createElement('button')
        Node.prototype.appendChild.call(form, button)
        button.click()
        button.remove()
      }
    },
    cancel: () => {
      pending = undefined
    },
    disconnect: () => listening.abort(),
  }
}
