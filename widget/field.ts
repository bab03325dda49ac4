/** The form field that submits the token. */
export interface Field {
  /** Belongs inside the box, and thereby in the form around it, without being a child that the page has to lay out. */
  readonly area: HTMLTextAreaElement
  /** Writes the token to the fields of the form; an empty token clears them, unless the page has set another value. */
  setToken(token: string, form: HTMLFormElement | undefined): void
  /** True if a field of the form that people do not see is filled in. */
  isTrapped(form: HTMLFormElement | undefined): boolean
}

/** Fields that the merchant has placed for programs, which fill in every field. */
const HONEYPOTS = '[data-svc-captcha-honeypot]'

/**
 * A text area named `name`: unlike that of a hidden input, its value is not part of the page's HTML, and unlike a text input it
 * does not keep Enter from submitting a form of one field. If the form already has fields of that name, those are filled instead,
 * and it gives up its name. The fields of other components are not filled.
 */
export function createField(name: string): Field {
  const area = document.createElement('textarea')
  let last: string | undefined
  // Without it, browsers restore a used token when the visitor navigates back.
  area.autocomplete = 'off'

  const findFields = (selector: string, form: HTMLFormElement | undefined) =>
    [...((form ?? area).getRootNode() as ParentNode).querySelectorAll<HTMLInputElement>(selector)].filter(
      (field) => field.form === (form ?? null),
    )

  return {
    area,
    setToken: (token, form) => {
      const own = form ? findFields(`[name="${CSS.escape(name)}"]:not([data-tollgate] *)`, form) : []
      area.name = own[0] ? '' : name
      for (const field of [area, ...own]) {
        // An empty token must not clear the token of another component that uses the same field.
        if (token || (last ?? field.value) === field.value) field.value = token
      }
      last = token
    },
    isTrapped: (form) => findFields(HONEYPOTS, form).some(({ value }) => value),
  }
}
