import type { ReactNode } from 'react'

/** A list of names and values. `stacked` shows each name above its value on wide screens too. */
export function Facts({ stacked = false, children }: { stacked?: boolean; children: ReactNode }) {
  return <dl className={`divide-y divide-line ${stacked ? '[&>div]:grid-cols-[minmax(0,1fr)]!' : ''}`}>{children}</dl>
}

export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid gap-x-6 gap-y-0.5 py-2 text-13 first:pt-0 last:pb-0 sm:grid-cols-[10rem_minmax(0,1fr)]">
      <dt className="text-ink-2">{name}</dt>
      <dd className="min-w-0 wrap-anywhere">{children}</dd>
    </div>
  )
}
