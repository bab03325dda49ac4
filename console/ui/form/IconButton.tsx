import type { LucideIcon } from 'lucide-react'
import type { ComponentProps } from 'react'
import { Tooltip } from '../overlay/Tooltip.tsx'

/** A button with an icon only. `label` is its accessible name and its tooltip. */
export function IconButton({
  label,
  icon: Icon,
  framed = false,
  ...rest
}: Omit<ComponentProps<'button'>, 'className' | 'children' | 'aria-label'> & {
  label: string
  icon: LucideIcon
  /** With a border, beside other buttons. */
  framed?: boolean
}) {
  return (
    <Tooltip text={label}>
      <button
        type="button"
        aria-label={label}
        className={`inline-grid h-8 shrink-0 place-items-center rounded-control transition-colors ${framed ? 'w-10 border border-line-strong bg-surface text-ink hover:bg-sunken' : 'w-8 text-ink-2 hover:bg-line hover:text-ink'}`}
        {...rest}
      >
        <Icon size={16} aria-hidden />
      </button>
    </Tooltip>
  )
}
