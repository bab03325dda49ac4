import type { ReactNode } from 'react'

/** A name or value as machines write it, within a sentence. Breaks anywhere rather than widen a narrow page. */
export function Code({ children }: { children: ReactNode }) {
  return <code className="font-mono text-13 wrap-anywhere text-ink">{children}</code>
}
