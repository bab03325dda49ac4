import { StrictMode, useState } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { renderToString } from 'react-dom/server'
import { Tollgate } from './Tollgate'
import type { RenderOptions } from './tollgate'

/** What the test puts into the page; two intents, one after the other. */
declare global {
  interface Window {
    site: Required<Pick<RenderOptions, 'endpoint' | 'sitekey'>> & { intents: [string, string] }
    mount: (how: 'render' | 'hydrate') => void
    markup: string
  }
}

function App() {
  const { intents, ...site } = window.site
  const [turn, setTurn] = useState<0 | 1>(0)
  const [shown, setShown] = useState(true)
  const [token, setToken] = useState('')
  const [sent, setSent] = useState<FormDataEntryValue | null>(null)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        setSent(new FormData(event.currentTarget).get('svc-captcha-response'))
      }}
    >
      {shown && <Tollgate {...site} intent={intents[turn]} onToken={setToken} onExpired={() => setTurn(1)} />}
      <button type="submit">Send</button>
      <button type="button" onClick={() => setTurn(1)}>
        Begin anew
      </button>
      <button type="button" onClick={() => setShown(!shown)}>
        Show or hide
      </button>
      <output aria-label="Token">{token}</output>
      <output aria-label="Sent">{typeof sent === 'string' && sent}</output>
    </form>
  )
}

const app = (
  <StrictMode>
    <App />
  </StrictMode>
)

window.markup = renderToString(app)
window.mount = (how) => {
  const root = document.body.appendChild(document.querySelector('#root') ?? document.createElement('main'))
  if (how === 'hydrate') hydrateRoot(root, app)
  else createRoot(root).render(app)
}
