import type { ReactNode } from 'react'

/** Figures side by side in one ruled strip; two in a row where it is narrow. */
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

/** One figure: its name, its value and a line that explains the value. Room for two lines of it where it may wrap. */
export function Figure({ name, value, note }: { name: string; value: ReactNode; note: ReactNode }) {
  return (
    <div className="bg-surface p-3 md:px-4 md:py-3.5">
      <dt className="text-12 text-ink-2">{name}</dt>
      <dd className="mt-1 text-16 font-semibold md:text-20">{value}</dd>
      <dd className="mt-0.5 min-h-8 text-12 text-ink-2 lg:min-h-4">{note}</dd>
    </div>
  )
}
