import { type ReactNode, useLayoutEffect, useRef } from 'react'

/** A page: document title, heading, description, actions and content. */
export function Page({
  title,
  context,
  breadcrumb,
  description,
  actions,
  children,
}: {
  title: string
  /** The site or tenant, for the document title. */
  context?: string
  /** Links above the title, to the list that the page belongs to. */
  breadcrumb?: ReactNode
  description?: ReactNode
  actions?: ReactNode
  children: ReactNode
}) {
  const parts = useShownInOrder()
  return (
    <>
      <title>{[title, context, 'Tollgate'].filter(Boolean).join(' · ')}</title>
      <header>
        {breadcrumb !== undefined && <div className="mb-2 text-13">{breadcrumb}</div>}
        <Head description={description} actions={actions}>
          {/* focus goes here after navigation (frame/Root.tsx) */}
          <h1 tabIndex={-1} className="text-20 font-semibold tracking-tight wrap-anywhere outline-none">
            {title}
          </h1>
        </Head>
      </header>
      <div ref={parts} className="mt-6 grid grid-cols-[minmax(0,1fr)] gap-6">
        {children}
      </div>
    </>
  )
}

/**
 * Hides the parts of a page that are below one with a `Skeleton`: their place depends on it, so nothing moves when it has
 * loaded. In CSS, `:has` did not show them again in every version of Chromium.
 */
function useShownInOrder() {
  const parts = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const head = parts.current?.previousElementSibling
    if (!parts.current || !head) return undefined
    const apply = () => {
      let waiting = isLoading(head)
      for (const part of parts.current?.children ?? []) {
        part.toggleAttribute('data-waiting', waiting)
        waiting ||= isLoading(part)
      }
    }
    apply()
    const observer = new MutationObserver(apply)
    for (const each of [head, parts.current]) observer.observe(each, { childList: true, subtree: true })
    return () => observer.disconnect()
  }, [])
  return parts
}

const isLoading = (part: Element): boolean => part.matches('[data-loading], :has([data-loading])')

/** A part of a page with its own heading. */
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
      <div className="mt-3 empty:hidden">{children}</div>
    </section>
  )
}

/** The same with a border. */
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
      <div className="p-4 empty:p-0 empty:pb-4">{children}</div>
    </section>
  )
}

const Heading = ({ children }: { children: string }) => (
  <h2 className="text-14 font-semibold wrap-anywhere">{children}</h2>
)

/**
 * A heading with actions beside it and the description below. On narrow screens the description has the full width, and
 * actions without enough room beside the heading are below it. More than two never have room, and are below the description. What an
 * open menu adds beside its button, for the focus, does not count.
 */
function Head({ description, actions, children }: { description: ReactNode; actions: ReactNode; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1.5 sm:grid sm:grid-cols-[minmax(25%,1fr)_auto] sm:gap-x-6 sm:gap-y-0">
      <div className="min-w-0 grow">{children}</div>
      {actions !== undefined && (
        <div
          className={`flex flex-wrap items-center gap-2 max-sm:has-[>:nth-child(3_of_:not([data-base-ui-focus-guard],[aria-owns]))]:order-last sm:col-start-2 sm:row-start-1 sm:justify-end sm:self-start ${description === undefined ? '' : 'sm:row-span-2'}`}
        >
          {actions}
        </div>
      )}
      {description !== undefined && (
        <div className="max-w-136 basis-full text-13 text-pretty text-ink-2 sm:col-start-1 sm:mt-1">{description}</div>
      )}
    </div>
  )
}

/** A placeholder for text that is loading, as high as a line. What is below its part of the page waits for it. */
export function Skeleton({ width }: { width: 'short' | 'long' }) {
  return (
    <span
      aria-hidden
      data-loading
      className={`inline-block h-[0.75em] max-w-full rounded-control bg-line align-baseline motion-safe:animate-pulse ${width === 'short' ? 'w-16' : 'w-32'}`}
    />
  )
}
