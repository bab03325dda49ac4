/** The form field that submits the token. */
export interface Field {
  /** Belongs inside the box, and thereby in the closest form, without being a child that the page has to lay out. */
  readonly input: HTMLInputElement
  /** Writes the token to the form's fields; an empty token clears them. */
  setToken(token: string): void
  /** True if a field of the form that people do not see is filled in. */
  isTrapped(): boolean
}

/** Fields that the merchant has placed for programs, which fill in every field. */
const HONEYPOTS = '[data-svc-captcha-honeypot]'

/**
 * A hidden input named `name`. If the form already has fields of that name, those are filled instead and the input gives
 * up its name. The inputs of other components on the page are not filled.
 */
export function createField(name: string): Field {
  const input = document.createElement('input')
  const findFields = (selector: string) =>
    (input.getRootNode() as ParentNode).querySelectorAll<HTMLInputElement>(selector)
  let last: string | undefined
  input.type = 'hidden'
  // Without it, browsers restore a used token when the visitor navigates back.
  input.autocomplete = 'off'

  return {
    input,
    setToken: (token) => {
      const { form } = input
      const isNew = token !== last
      input.name = name
      if (isNew) input.value = token
      for (const field of findFields('[name]')) {
        if (!form || field.form !== form || field.name !== name || field.closest('[data-tollgate]')) continue
        input.name = ''
        // An empty token must not clear the token of another component that uses the same field.
        if (token || last === undefined || field.value === last) field.value = token
      }
      last = token
    },
    isTrapped: () => [...findFields(HONEYPOTS)].some(({ form, value }) => form === input.form && !!value),
  }
}
