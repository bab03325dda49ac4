import { type ReactNode, useEffect, useRef } from 'react'

/**
 * Around what can take away the very control that has the focus, such as the row of something that is removed: the focus
 * stays at the place then, instead of falling back to the top of the page.
 */
export function KeptFocus({ children }: { children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null)
  const inside = useRef(false)
  useEffect(() => {
    // what is taken away while it has the focus says no goodbye
    if (inside.current && document.activeElement === document.body) place.current?.focus()
  })
  return (
    <div
      ref={place}
      tabIndex={-1}
      className="rounded-panel"
      onFocus={() => {
        inside.current = true
      }}
      onBlur={() => {
        inside.current = false
      }}
    >
      {children}
    </div>
  )
}
