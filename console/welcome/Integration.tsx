import type { ReactNode } from 'react'
import { useInstall } from '../sdk/useInstall.ts'
import { Code } from '../ui/text/Code.tsx'
import { Snippet } from '../ui/text/Snippet.tsx'
import { createSite, openIntent, placeWidget, redeemToken } from './snippets.ts'

/** Keys, SDK and the three integration steps, each with a snippet. */
export function Integration({ origin, docsUrl }: { origin: string; docsUrl: string }) {
  const { node = '…', python = '…' } = useInstall()
  return (
    <section aria-labelledby="integrate">
      <h2 id="integrate" className="text-20 font-semibold">
        Integrate
      </h2>
      <p className="mt-1 max-w-160 text-ink-2">
        Three steps for one verification. For every field, error and fix see the{' '}
        <a href={docsUrl} className="text-brand-ink underline underline-offset-4">
          docs
        </a>
        .
      </p>

      <Step title="Get keys" snippet={<Snippet name="Terminal, where Tollgate runs" text={createSite} />}>
        Prints the site key for your pages and the secret key for your backend, which is shown only once:{' '}
        <Code>$TOLLGATE_SECRET</Code> below. The tenant <Code>demo</Code> exists in the evaluation only; otherwise use
        your own.
      </Step>
      <Step
        title="Install the SDK"
        snippet={<Snippet name="Terminal, in your backend" text={`# Node.js\n${node}\n\n# Python\n${python}`} />}
      >
        Served by this deployment, for{' '}
        <a href="/docs/sdk-node" className="text-brand-ink underline underline-offset-4">
          Node.js
        </a>{' '}
        and{' '}
        <a href="/docs/sdk-python" className="text-brand-ink underline underline-offset-4">
          Python
        </a>
        . In other languages call the API directly, as below.
      </Step>
      <ol>
        <li>
          <Step
            number={1}
            title="Open an intent"
            snippet={<Snippet name="Your backend: POST /intents" text={openIntent(origin)} />}
          >
            Before you render the form. The intent expires after 300 s and is valid for this action and hostname only. A
            retry with the same nonce returns the same intent. Store nonce and key before the call.
          </Step>
        </li>
        <li>
          <Step number={2} title="Place the widget" snippet={<Snippet name="Your page" text={placeWidget(origin)} />}>
            In the form, with the site key and the intent’s <Code>intent_id</Code>. The visitor’s browser solves the
            challenge and adds a token to the form as <Code>svc-captcha-response</Code>.
          </Step>
        </li>
        <li>
          <Step
            number={3}
            title="Redeem the token"
            snippet={<Snippet name="Your backend: POST /siteverify" text={redeemToken(origin)} />}
          >
            When the form is submitted, before you act on it. An intent is redeemed and charged at most once. The same
            call within 600 s returns the same response. The <Code>idempotency_key</Code> must be random, not the public
            intent id.
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
