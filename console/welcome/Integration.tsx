import type { ReactNode } from 'react'
import { useInstall } from '../sdk/useInstall.ts'
import { Code } from '../ui/Code.tsx'
import { Snippet } from '../ui/Snippet.tsx'
import { createSite, openIntent, placeWidget, redeemToken } from './snippets.ts'

/** Keys, then the three steps of the road, each with something to copy. */
export function Integration({ origin, docsUrl }: { origin: string; docsUrl: string }) {
  const { node = '…', python = '…' } = useInstall()
  return (
    <section aria-labelledby="integrate">
      <h2 id="integrate" className="text-20 font-semibold">
        Integrate
      </h2>
      <p className="mt-1 max-w-160 text-ink-2">
        Three steps for one verification. Every field, code and remedy is in the{' '}
        <a href={docsUrl} className="text-brand-ink underline underline-offset-4">
          docs
        </a>
        .
      </p>

      <Step title="Get keys" snippet={<Snippet name="Terminal, where Tollgate runs" text={createSite} />}>
        Prints the site key, for your pages, and the secret key, for your backend only: it is shown this once, and{' '}
        <Code>$TOLLGATE_SECRET</Code> below. The tenant <Code>demo</Code> belongs to the evaluation; elsewhere name your
        own.
      </Step>
      <Step
        title="Install the SDK"
        snippet={<Snippet name="Terminal, in your backend" text={`# Node.js\n${node}\n\n# Python\n${python}`} />}
      >
        This deployment serves it, for{' '}
        <a href="/docs/sdk-node" className="text-brand-ink underline underline-offset-4">
          Node.js
        </a>{' '}
        and{' '}
        <a href="/docs/sdk-python" className="text-brand-ink underline underline-offset-4">
          Python
        </a>
        . In any other language make the calls yourself, as below.
      </Step>
      <ol>
        <li>
          <Step
            number={1}
            title="Open an intent"
            snippet={<Snippet name="Your backend: POST /intents" text={openIntent(origin)} />}
          >
            Before the form is rendered. The intent expires after 300 s and is bound to this action and hostname. A
            retry with the same nonce gives the same intent. Store nonce and key before the call.
          </Step>
        </li>
        <li>
          <Step number={2} title="Place the widget" snippet={<Snippet name="Your page" text={placeWidget(origin)} />}>
            In the form, with the site key and the intent’s <Code>intent_id</Code>. The visitor’s browser does the work
            and puts a token into the field <Code>svc-captcha-response</Code>.
          </Step>
        </li>
        <li>
          <Step
            number={3}
            title="Redeem the token"
            snippet={<Snippet name="Your backend: POST /siteverify" text={redeemToken(origin)} />}
          >
            When the form arrives, before you act on it. One intent is redeemed and charged at most once. The same call
            again within 600 s gives the same reply. The <Code>idempotency_key</Code> is random and never the intent’s
            id, which is public.
          </Step>
        </li>
      </ol>
    </section>
  )
}

function Step({
  number,
  title,
  snippet,
  children,
}: {
  number?: number
  title: string
  snippet: ReactNode
  children: ReactNode
}) {
  return (
    <div className="mt-6 grid items-start gap-x-8 gap-y-4 border-t border-line pt-6 lg:grid-cols-[2fr_3fr]">
      <div>
        <h3 className="flex items-center gap-2 text-16 font-semibold">
          {number !== undefined && (
            <span
              aria-hidden
              className="grid size-6 place-items-center rounded-full border border-line-strong text-12 font-semibold text-ink-2"
            >
              {number}
            </span>
          )}
          {title}
        </h3>
        <p className="mt-2 max-w-112 text-ink-2">{children}</p>
      </div>
      {snippet}
    </div>
  )
}
