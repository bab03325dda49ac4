import { Code } from '../ui/text/Code.tsx'
import { OuterLink } from '../ui/text/Link.tsx'
import { Snippet } from '../ui/text/Snippet.tsx'
import { openIntent, placeWidget, redeemToken } from '../welcome/snippets.ts'

/** The third step: code snippets with the site's key. */
export function Integrate({ sitekey, hostname }: { sitekey: string; hostname: string }) {
  const { origin } = location
  return (
    <div className="grid gap-3">
      <p className="max-w-160 text-13 text-ink-2">
        Your backend opens an intent before it renders the form, the widget obtains a token for it, and your backend
        redeems the token when the form is submitted. <Code>TOLLGATE_SECRET</Code> is the secret key from the previous
        step. For Node.js and Python see <OuterLink href="/docs/integration">the guide</OuterLink>.
      </p>
      <Snippet name="1. Your backend, before the form is shown" text={openIntent(origin, hostname)} />
      <Snippet name="2. Your page" text={placeWidget(origin, sitekey)} />
      <Snippet name="3. Your backend, when the form is submitted" text={redeemToken(origin, hostname)} />
    </div>
  )
}
