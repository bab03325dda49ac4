import { Code } from '../ui/Code.tsx'
import { OuterLink } from '../ui/Link.tsx'
import { Snippet } from '../ui/Snippet.tsx'
import { openIntent, placeWidget, redeemToken } from '../welcome/snippets.ts'

/** The third step: what goes where, with the site's own key. */
export function Integrate({ sitekey, hostname }: { sitekey: string; hostname: string }) {
  const { origin } = location
  return (
    <div className="grid gap-3">
      <p className="max-w-160 text-13 text-ink-2">
        Your backend opens an intent before it renders the form, the widget earns a token for it, and your backend
        redeems the token when the form arrives. <Code>TOLLGATE_SECRET</Code> is the secret key from the step before.
        For programs in Node.js and Python: <OuterLink href="/docs/integration">the guide</OuterLink>.
      </p>
      <Snippet name="1. Your backend, before the form" text={openIntent(origin, hostname)} />
      <Snippet name="2. Your page" text={placeWidget(origin, sitekey)} />
      <Snippet name="3. Your backend, when the form arrives" text={redeemToken(origin, hostname)} />
    </div>
  )
}
