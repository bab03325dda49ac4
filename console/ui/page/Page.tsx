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
      <header>
        <Head description={description} actions={actions}>
          {/* focus goes here after navigation (frame/Root.tsx) */}
          <h1 tabIndex={-1} className="text-20 font-semibold tracking-tight wrap-anywhere outline-none">
            {title}
          </h1>
        </Head>
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
      <Head description={description} actions={actions}>
        <Heading>{title}</Heading>
      </Head>
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
        <Head description={description} actions={actions}>
          <Heading>{title}</Heading>
        </Head>
      </div>
      <div className="p-4">{children}</div>
    </section>
  )
}

const Heading = ({ children }: { children: string }) => (
  <h2 className="text-14 font-semibold wrap-anywhere">{children}</h2>
)

/** A heading with its actions beside it; the description below, where it is narrow across the whole width. */
function Head({ description, actions, children }: { description: ReactNode; actions: ReactNode; children: ReactNode }) {
  return (
    <div className="grid grid-cols-[minmax(25%,1fr)_auto] items-center gap-x-4 sm:gap-x-6">
      {children}
      {actions !== undefined && (
        <div
          className={`col-start-2 row-start-1 flex flex-wrap items-center justify-end gap-2 sm:self-start ${description === undefined ? '' : 'sm:row-span-2'}`}
        >
          {actions}
        </div>
      )}
      {description !== undefined && (
        <div className="col-start-1 col-end-3 mt-0.5 max-w-160 text-13 text-ink-2 sm:col-end-2">{description}</div>
      )}
    </div>
  )
}
