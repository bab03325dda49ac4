import { Tollgate } from '@tollgate/widget/react'
import { createRoot } from 'react-dom/client'

async function signUp(data) {
  const reply = await fetch('/signup', { method: 'POST', body: data })
  document.querySelector('output').innerHTML = await reply.text()
}

const { endpoint, ...site } = globalThis.site
createRoot(document.querySelector('main')).render(
  <form action={signUp}>
    <input type="hidden" name="attempt" value={site.attempt} />
    <label>
      Comment <input name="comment" />
    </label>
    <Tollgate url={endpoint} sitekey={site.sitekey} intent={site.intent} />
    <button type="submit">Send</button>
  </form>,
)
