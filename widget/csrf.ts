/**
 * The header by which the page's server recognizes its own pages: `given` as `Name: value`, else the token that Rails and Laravel
 * put into the page. Without either, no header.
 */
export function csrfHeaders(given: string): Record<string, string> {
  const token = document.querySelector('meta[name=csrf-token]')?.getAttribute('content')
  const [, name = 'X-CSRF-Token', value = token] = /^([\w-]+): *(.+)$/.exec(given) ?? []
  return value ? { [name]: value } : {}
}
