import { createLink } from '@tanstack/react-router'
import { LoaderCircle } from 'lucide-react'
import type { ComponentProps, MouseEvent } from 'react'
import { useId } from 'react'
import { Tooltip } from '../overlay/Tooltip.tsx'

type Look = 'primary' | 'secondary' | 'danger' | 'quiet'

const SHAPE =
  'inline-flex shrink-0 items-center justify-center gap-2 rounded-control border font-semibold whitespace-nowrap transition-colors aria-disabled:cursor-not-allowed aria-disabled:opacity-60'

const SIZES = { usual: 'h-8 px-3.5 text-13', small: 'h-7 px-2.5 text-12', field: 'h-9 px-3.5 text-13' } as const

const LOOKS = {
  primary:
    'border-brand bg-brand text-on-brand not-aria-disabled:hover:border-brand-ink not-aria-disabled:hover:bg-brand-ink',
  secondary: 'border-line-strong bg-surface text-ink not-aria-disabled:hover:bg-sunken data-popup-open:bg-sunken',
  danger: 'border-block bg-surface text-block not-aria-disabled:hover:bg-block-bg',
  quiet:
    'border-transparent text-ink-2 not-aria-disabled:hover:bg-line not-aria-disabled:hover:text-ink data-popup-open:bg-line',
} satisfies Record<Look, string>

type Props = Omit<ComponentProps<'button'>, 'className' | 'disabled'> & {
  look?: Look
  /** `small`: in a table row. `field`: beside a text field. */
  size?: keyof typeof SIZES
  /** The action is running: shows a spinner and ignores clicks. */
  busy?: boolean
  /** Why the button is disabled. It stays focusable, so that keyboard users can read the reason. */
  reason?: string | undefined
}

/** A button for an action. A page shows at most one with the look `primary`. */
export function Button({
  look = 'secondary',
  size = 'usual',
  busy = false,
  reason,
  children,
  onClick,
  ...rest
}: Props) {
  const reasonId = useId()
  const off = busy || reason !== undefined
  const click = (event: MouseEvent<HTMLButtonElement>) => {
    if (off) event.preventDefault()
    else onClick?.(event)
  }
  const button = (
    <button
      type="button"
      className={`${SHAPE} ${SIZES[size]} ${LOOKS[look]}`}
      {...rest}
      {...(off && { 'aria-disabled': true })}
      {...(reason !== undefined && { 'aria-describedby': reasonId })}
      aria-busy={busy || undefined}
      onClick={click}
    >
      {busy && <LoaderCircle size={14} aria-hidden className="motion-safe:animate-spin" />}
      {children}
    </button>
  )
  if (reason === undefined) return button
  return (
    <>
      <Tooltip text={reason}>{button}</Tooltip>
      <span id={reasonId} hidden>
        {reason}
      </span>
    </>
  )
}

/** A link to a page of the console that looks like a button. */
export const PageLink = createLink(
  ({ look = 'secondary', children, ...rest }: Omit<ComponentProps<'a'>, 'className'> & { look?: Look }) => (
    <a {...rest} className={`${SHAPE} ${SIZES.usual} ${LOOKS[look]}`}>
      {children}
    </a>
  ),
)

/** A link out of the console that looks like a button. */
export function ButtonLink({
  look = 'secondary',
  children,
  ...rest
}: Omit<ComponentProps<'a'>, 'className'> & { look?: Look }) {
  return (
    <a className={`${SHAPE} ${SIZES.usual} ${LOOKS[look]}`} {...rest}>
      {children}
    </a>
  )
}
