/** Where the token leaves with the form. */
export interface Field {
  /** Belongs inside the box, and thereby into the closest form, without being a child that its layout has to place. */
  readonly input: HTMLInputElement
  /** Fills the fields that the form has for the token now; an empty one empties them. */
  put(token: string): void
}

/**
 * A hidden input named `name`, which gives up that name where the form has fields of that name already: those are filled
 * instead, wherever they are. Another component's own field is none of them.
 */
export function createField(name: string): Field {
  const input = document.createElement('input')
  let last: string | undefined
  input.type = 'hidden'
  // Else browsers put a spent token back into the form on the way back through history.
  input.autocomplete = 'off'

  return {
    input,
    put: (token) => {
      const { form } = input
      const isNew = token !== last
      input.name = name
      if (isNew) input.value = token
      for (const field of (input.getRootNode() as ParentNode).querySelectorAll<HTMLInputElement>('[name]')) {
        if (!form || field.form !== form || field.name !== name || field.closest('[data-tollgate]')) continue
        input.name = ''
        // Not the token of another component, for which it stands as well.
        if (token || last === undefined || field.value === last) field.value = token
      }
      last = token
    },
  }
}
