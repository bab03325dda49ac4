export type Submitter = HTMLButtonElement | null

/** The node and all that contains it, also its slot and outside its shadow root, up to the document if it is inserted. */
export function pathOf(node: Node): Node[] {
  const path: Node[] = []
  for (let each = node as Node & Partial<ShadowRoot & Element>; each; ) {
    path.push(each)
    // A form's `host` and `parentNode` can be fields of these names.
    const parent: unknown = Reflect.get(Node.prototype, 'parentNode', each)
    const up = each.nodeType > 9 ? each.host : (each.assignedSlot ?? parent)
    each = up as typeof each
  }
  return path
}

/**
 * The form that contains the node. Without one, the form of the nearest field that belongs to a form but is outside it, by its
 * `form` attribute or because the parser moved it, as in `<table><form>`.
 */
export function findForm(node: Node): HTMLFormElement | undefined {
  const path = pathOf(node) as HTMLFormElement[]
  for (const each of path) if (each.localName === 'form') return each
  for (const scope of path) {
    for (const field of scope.querySelectorAll<HTMLInputElement>('input,button,[form]')) {
      if (field.form && field.form !== field.closest('form')) return field.form
    }
  }
  return undefined
}

/** True if the target belongs to the form of the container, or if neither has one. */
export function isInForm(container: Element, target: Node | null): boolean {
  return !!target && !container.contains(target) && findForm(target) === findForm(container)
}

/** True if the form opens a window, which the browser allows only for some seconds after a press. */
export function opensWindow(form: HTMLFormElement, submitter: Submitter | undefined): boolean {
  const target = submitter?.formTarget || form.getAttribute('target') || ''
  // Of the keywords only `_blank` opens a window, and a name does unless it is that of a frame.
  return /^(_b|[^_])/i.test(target) && !(frames as typeof frames & Record<string, Window>)[target]?.frames
}

/** Submits the form as if the button was pressed. */
export function press(form: HTMLFormElement, submitter: Submitter): void {
  // Safari supports `requestSubmit` from version 16.
  const { requestSubmit } = HTMLFormElement.prototype as Partial<HTMLFormElement>
  const submit = (button: Submitter) =>
    requestSubmit ? requestSubmit.call(form, button) : (button as HTMLButtonElement).click()
  try {
    // 0 is no button.
    submit(submitter?.matches(':disabled') ? (0 as never) : submitter)
  } catch {
    // A script has disabled or removed the button meanwhile, as guards against double clicks do, or there was none to click.
    const button = (submitter ?? document.createElement('button')).cloneNode() as HTMLButtonElement
    button.type = 'submit'
    button.disabled = false
    Node.prototype.appendChild.call(form, button)
    submit(button)
    button.remove()
  }
}
