import type { Settings } from '../adapter.ts'

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
export const escape = (value: string): string => value.replace(/[&<>"']/g, (found) => ENTITIES[found] ?? '')

/** `hidden` are the form's hidden fields. */
export function formPage({ tollgateUrl, sitekey }: Settings, intent: string, hidden: Record<string, string>): string {
  const inputs = Object.entries(hidden).map(([name, value]) => `<input type="hidden" name="${name}" value="${value}">`)
  return `<!doctype html><html lang="en"><title>Sign up</title>
<script src="${tollgateUrl}/widget.js" async defer></script>
<script>function passed() { document.querySelector('[name=verified]').value = 'yes' }</script>
<form method="post" action="/signup">
  ${inputs.join('')}
  <label>E-mail <input name="email" type="email"></label>
  <label>Name <input name="name"></label>
  <div class="svc-captcha" data-endpoint="${tollgateUrl}" data-sitekey="${sitekey}" data-intent="${intent}"
       data-callback="passed"></div>
  <button>Sign up</button>
</form></html>`
}

export function messagePage(message: string): string {
  return `<!doctype html><html lang="en"><title>Sign up</title><p>${message}</p><p><a href="/signup">Open the form again</a></p></html>`
}
