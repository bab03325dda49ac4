import type { ReactNode } from 'react'

/** Names and values one under the other, ruled; side by side where there is room. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className="divide-y divide-line">{children}</dl>
}

export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid gap-x-6 gap-y-0.5 py-2 text-13 first:pt-0 last:pb-0 sm:grid-cols-[10rem_minmax(0,1fr)]">
      <dt className="text-ink-2">{name}</dt>
      <dd className="min-w-0 wrap-anywhere">{children}</dd>
    </div>
  )
}
