import type { ReactNode } from 'react'

const TONES = {
  challenge: 'border-challenge bg-challenge-bg',
  block: 'border-block bg-block-bg',
  info: 'border-line-strong bg-sunken',
} as const

/** An important message at the top of a page, with an action. */
export function Notice({
  tone,
  title,
  action,
  children,
}: {
  tone: keyof typeof TONES
  title: string
  action?: ReactNode
  children?: ReactNode
}) {
  return (
    <section
      aria-label={title}
      className={`flex flex-wrap items-center justify-between gap-x-6 gap-y-3 rounded-panel border p-4 ${TONES[tone]}`}
    >
      <div className="min-w-0">
        <h2 className="text-14 font-semibold">{title}</h2>
        {children !== undefined && <div className="mt-1 max-w-136 text-13 text-pretty">{children}</div>}
      </div>
      {action}
    </section>
  )
}
