import type { ReactNode } from 'react'

/** A row of figures; two per row on narrow screens. */
export function Strip({ children, busy }: { children: ReactNode; busy: boolean }) {
  return (
    <dl
      aria-busy={busy}
      className="grid grid-cols-2 gap-px overflow-hidden rounded-panel border border-line bg-line lg:grid-cols-4"
    >
      {children}
    </dl>
  )
}

/** A figure: name, value and a note. The note reserves two lines where it may wrap. */
export function Figure({ name, value, note }: { name: string; value: ReactNode; note: ReactNode }) {
  return (
    <div className="bg-surface p-3 md:px-4 md:py-3.5">
      <dt className="text-12 text-ink-2">{name}</dt>
      <dd className="mt-1 text-16 font-semibold md:text-20">{value}</dd>
      <dd className="mt-0.5 min-h-8 text-12 text-ink-2 xl:min-h-4">{note}</dd>
    </div>
  )
}
