import type { ReactNode } from 'react'

/** Instead of an empty list: what would stand here, how it comes about (perhaps a snippet), and one button. */
export function EmptyState({
  title,
  children,
  snippet,
  action,
}: {
  title: string
  children: ReactNode
  snippet?: ReactNode
  action?: ReactNode
}) {
  return (
    <div className="grid justify-items-start gap-4 rounded-panel border border-dashed border-line-strong p-5 md:p-6">
      <div>
        <p className="text-14 font-semibold">{title}</p>
        <div className="mt-1 max-w-160 text-13 text-ink-2">{children}</div>
      </div>
      {snippet !== undefined && <div className="w-full max-w-160">{snippet}</div>}
      {action}
    </div>
  )
}
