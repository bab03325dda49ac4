import { useTollgate } from '@tollgate/widget/react'
import { StrictMode, useState } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'

/** What the tests of every framework use: a form, which `site` describes, and what the package says about its component. */
function Form({ site }) {
  const [turn, setTurn] = useState(0)
  const [shown, setShown] = useState(true)
  const [solved, setSolved] = useState([])
  const [sent, setSent] = useState('')
  const { intents, fetchIntent, ...options } = site
  const captcha = useTollgate({
    ...options,
    intent: fetchIntent ?? intents[turn],
    onSolved: (token) => setSolved((all) => [...all, token]),
  })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        setSent(new FormData(event.currentTarget).get('svc-captcha-response'))
      }}
    >
      {shown && <div {...captcha.props} />}
      <button type="submit">Send</button>
      <button type="button" onClick={() => setTurn(1)}>
        Another
      </button>
      <button type="button" onClick={() => setShown(!shown)}>
        Show or hide
      </button>
      <button type="button" onClick={captcha.reset}>
        Reset
      </button>
      <output aria-label="Token">{captcha.value}</output>
      <output aria-label="Solved">{solved.length}</output>
      <output aria-label="Sent">{sent}</output>
    </form>
  )
}

export const app = (site) => (
  <StrictMode>
    <Form site={site} />
  </StrictMode>
)

globalThis.mount = (element, site, hydrates) => {
  const root = hydrates ? hydrateRoot(element, app(site)) : createRoot(element)
  if (!hydrates) root.render(app(site))
  return () => root.unmount()
}
