import type { ReactNode } from 'react'
import { Copy } from './Copy.tsx'

/** Inline code. Wraps anywhere, so that it never widens a narrow page. */
export function Code({ children }: { children: ReactNode }) {
  return <code className="font-mono text-13 wrap-anywhere text-ink">{children}</code>
}

/** A code block with a name and a copy button. Long lines wrap. */
export function Snippet({ name, text }: { name: string; text: string }) {
  return (
    <figure className="overflow-hidden rounded-panel border border-line bg-surface">
      <figcaption className="flex items-center justify-between border-b border-line py-2 pr-2 pl-4 text-12 text-ink-2">
        {name}
        <Copy text={text} name={name} />
      </figcaption>
      <pre className="px-4 py-3 font-mono text-12 whitespace-pre-wrap wrap-anywhere text-ink">
        <code>{text}</code>
      </pre>
    </figure>
  )
}
