import { Tollgate, useTollgate } from '@tollgate/widget/react'
import * as React from 'react'
import { StrictMode, Suspense, useState } from 'react'
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

/** Hides the form with what React has for that: `Activity`, or `Suspense` around something that is not there yet. */
function Hidden({ site: { intents, by, ...options } }) {
  const [hidden, setHidden] = useState(false)
  const [token, setToken] = useState('')
  const [sent, setSent] = useState('')
  const form = (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        setSent(new FormData(event.currentTarget).get('svc-captcha-response'))
      }}
    >
      <Tollgate {...options} intent={intents[0]} onSolved={setToken} />
      <button type="submit">Send</button>
    </form>
  )
  return (
    <>
      {by === 'Activity' ? (
        <React.Activity mode={hidden ? 'hidden' : 'visible'}>{form}</React.Activity>
      ) : (
        <Suspense fallback="Please wait">
          {form}
          {hidden && <Pending />}
        </Suspense>
      )}
      <button type="button" onClick={() => setHidden(!hidden)}>
        Show or hide
      </button>
      <output aria-label="Token">{token}</output>
      <output aria-label="Sent">{sent}</output>
    </>
  )
}

const never = new Promise(() => undefined)
function Pending() {
  throw never
}

globalThis.mountHidden = (element, site) => {
  const root = createRoot(element)
  root.render(
    <StrictMode>
      <Hidden site={site} />
    </StrictMode>,
  )
  return () => root.unmount()
}

globalThis.mount = (element, site, hydrates) => {
  const root = hydrates ? hydrateRoot(element, app(site)) : createRoot(element)
  if (!hydrates) root.render(app(site))
  return () => root.unmount()
}
