import { Tabs as Base } from '@base-ui/react/tabs'
import { createLink, useLocation } from '@tanstack/react-router'
import { type ComponentProps, type ReactNode, useEffect, useRef } from 'react'

/** Its edge fades where it scrolls on (index.css). */
const BAR = 'tab-bar flex gap-4 overflow-x-auto border-b border-line'
const TAB =
  '-mb-px flex h-10 min-w-6 shrink-0 items-center justify-center border-b-2 border-transparent text-13 text-ink-2 transition-colors -outline-offset-2 hover:text-ink'

/** The ref of a bar that scrolls to the tab that `selector` finds, if its tabs do not fit: to its middle, where no edge fades. */
function useCurrentInView<Bar extends HTMLElement>(selector: string) {
  const bar = useRef<Bar>(null)
  useEffect(() => {
    if (!bar.current) return undefined
    // also when the bar is shown, which is after the parts above it
    const observer = new ResizeObserver(() => {
      const current = bar.current?.querySelector<HTMLElement>(selector)
      if (bar.current && current)
        bar.current.scrollLeft = current.offsetLeft + (current.offsetWidth - bar.current.clientWidth) / 2
    })
    observer.observe(bar.current)
    return () => observer.disconnect()
  }, [selector])
  return bar
}

/** Tabs within a page. Keep `value` in the URL. */
export function Tabs<Value extends string>({
  label,
  value,
  onChange,
  tabs,
  children,
}: {
  label: string
  value: Value
  onChange: (value: Value) => void
  /** The label of each tab, in the order shown. */
  tabs: Readonly<Record<Value, string>>
  /** The content of the selected tab. */
  children: ReactNode
}) {
  const bar = useCurrentInView<HTMLDivElement>(`[data-value="${value}"]`)
  return (
    <Base.Root value={value} onValueChange={(next) => onChange(next as Value)} className="min-w-0">
      <Base.List ref={bar} aria-label={label} activateOnFocus className={`relative ${BAR}`}>
        {Object.entries<string>(tabs).map(([value, word]) => (
          <Base.Tab
            key={value}
            value={value}
            data-value={value}
            className={`${TAB} data-active:border-brand data-active:text-ink`}
          >
            {word}
          </Base.Tab>
        ))}
      </Base.List>
      <Base.Panel value={value} className="pt-4">
        {children}
      </Base.Panel>
    </Base.Root>
  )
}

/** Links between the pages of an object, shown as tabs. Scrolls to the current one if they do not fit. */
export function TabNav({ label, children }: { label: string; children: ReactNode }) {
  const { pathname } = useLocation()
  const bar = useCurrentInView<HTMLElement>(`[href="${pathname}"]`)
  return (
    <nav ref={bar} aria-label={label} className={`relative ${BAR}`}>
      {children}
    </nav>
  )
}

export const TabLink = createLink(({ children, ...rest }: Omit<ComponentProps<'a'>, 'className'>) => (
  <a {...rest} className={`${TAB} aria-[current=page]:border-brand aria-[current=page]:text-ink`}>
    {children}
  </a>
))
