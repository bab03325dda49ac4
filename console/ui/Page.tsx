import type { ReactNode } from 'react'

/** A page: what the browser's tab says, its heading, one line about it, what can be done here, and the rest. */
export function Page({
  title,
  context,
  description,
  actions,
  children,
}: {
  title: string
  /** What the page belongs to, for the browser's tab: the site or the tenant. */
  context?: string
  description?: ReactNode
  actions?: ReactNode
  children: ReactNode
}) {
  return (
    <>
      <title>{[title, context, 'Tollgate'].filter(Boolean).join(' · ')}</title>
      <header className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="min-w-0">
          {/* focus goes here after navigation (frame/Root.tsx) */}
          <h1 tabIndex={-1} className="text-20 font-semibold tracking-tight wrap-anywhere outline-none">
            {title}
          </h1>
          {description !== undefined && <div className="mt-0.5 max-w-160 text-13 text-ink-2">{description}</div>}
        </div>
        {actions !== undefined && <div className="flex flex-wrap items-center gap-2 sm:gap-3">{actions}</div>}
      </header>
      <div className="mt-6 grid grid-cols-[minmax(0,1fr)] gap-6">{children}</div>
    </>
  )
}

/** A part of a page under a heading of its own. */
export function Section({
  title,
  description,
  actions,
  children,
}: {
  title: string
  description?: ReactNode
  actions?: ReactNode
  children: ReactNode
}) {
  return (
    <section aria-label={title}>
      <SectionHead title={title} description={description} actions={actions} />
      <div className="mt-3">{children}</div>
    </section>
  )
}

/** The same in a ruled panel. */
export function Panel({
  title,
  description,
  actions,
  children,
}: {
  title: string
  description?: ReactNode
  actions?: ReactNode
  children: ReactNode
}) {
  return (
    <section aria-label={title} className="rounded-panel border border-line bg-surface">
      <div className="p-4 pb-0">
        <SectionHead title={title} description={description} actions={actions} />
      </div>
      <div className="p-4">{children}</div>
    </section>
  )
}

function SectionHead({ title, description, actions }: { title: string; description: ReactNode; actions: ReactNode }) {
  return (
    <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2">
      <div className="min-w-0">
        <h2 className="text-14 font-semibold wrap-anywhere">{title}</h2>
        {description !== undefined && <div className="mt-0.5 max-w-160 text-13 text-ink-2">{description}</div>}
      </div>
      {actions !== undefined && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
    </div>
  )
}
