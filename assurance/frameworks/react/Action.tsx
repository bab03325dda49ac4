import { createRoot } from 'react-dom/client'
import { Tollgate } from './Tollgate'

/** What the shop puts into the page. */
declare const site: { endpoint: string; sitekey: string; intent: string; attempt: string }

async function signUp(data: FormData) {
  const reply = await fetch('/signup', { method: 'POST', body: data })
  const output = document.querySelector('output')
  if (output) output.innerHTML = await reply.text()
}

const root = document.querySelector('main')
if (!root) throw new Error('the page has no place for the application')
createRoot(root).render(
  <form action={signUp}>
    <input type="hidden" name="attempt" value={site.attempt} />
    <label>
      Comment <input name="comment" />
    </label>
    <Tollgate endpoint={site.endpoint} sitekey={site.sitekey} intent={site.intent} />
    <button type="submit">Send</button>
  </form>,
)
