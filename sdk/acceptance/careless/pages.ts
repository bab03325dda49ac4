import type { Settings } from '../adapter.ts'

export function formPage(
  { tollgateUrl, sitekey }: Settings,
  { attempt, intent }: { attempt: string; intent: string },
): string {
  return `<!doctype html><html lang="en"><title>Sign up</title>
<script src="${tollgateUrl}/widget.js" async defer></script>
<script>function passed() { document.querySelector('[name=verified]').value = 'yes' }</script>
<form method="post" action="/signup">
  <input type="hidden" name="attempt" value="${attempt}">
  <input type="hidden" name="verified" value="">
  <label>E-mail <input name="email" type="email"></label>
  <div class="svc-captcha" data-endpoint="${tollgateUrl}" data-sitekey="${sitekey}" data-intent="${intent}"
       data-callback="passed"></div>
  <button>Sign up</button>
</form></html>`
}

export function messagePage(message: string): string {
  return `<!doctype html><html lang="en"><title>Sign up</title><p>${message}</p><p><a href="/signup">Open the form again</a></p></html>`
}
