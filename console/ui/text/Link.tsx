import { createLink } from '@tanstack/react-router'
import type { ComponentProps } from 'react'

/** How a link looks, also for a button that leads to a page. */
export const LINK =
  'text-brand-ink underline decoration-brand-ink/40 underline-offset-4 transition-colors hover:decoration-current rounded-xs'

/** A text link to a page of the console. */
export const Link = createLink(({ children, ...rest }: Omit<ComponentProps<'a'>, 'className'>) => (
  <a {...rest} className={LINK}>
    {children}
  </a>
))

/** A text link out of the console. */
export function OuterLink({ children, ...rest }: Omit<ComponentProps<'a'>, 'className'>) {
  return (
    <a {...rest} className={LINK}>
      {children}
    </a>
  )
}
