/**
 * The hidden input that carries the token with the form. It belongs inside the box and thereby into the closest form,
 * wherever the page moves it, without being a child that the form's own layout has to place.
 */
export function createField(name: string): HTMLInputElement {
  const field = document.createElement('input')
  field.type = 'hidden'
  field.name = name
  // Else browsers put a spent token back into the form on the way back through history.
  field.autocomplete = 'off'
  return field
}
