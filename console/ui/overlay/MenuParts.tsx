import { Menu as Base } from '@base-ui/react/menu'
import { Check, type LucideIcon } from 'lucide-react'
import type { ReactElement, ReactNode } from 'react'
import { POPUP, POPUP_ITEM } from './popup.ts'

/** A menu that opens at `trigger`, a button. */
export function Menu({
  trigger,
  align = 'end',
  side = 'bottom',
  children,
}: {
  trigger: ReactElement
  align?: 'start' | 'end'
  side?: 'bottom' | 'top'
  children: ReactNode
}) {
  return (
    <Base.Root>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner align={align} side={side} sideOffset={4} className="z-50">
          <Base.Popup className={`${POPUP} min-w-48`}>{children}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

/** An action. With a `reason` it is disabled and shows the reason. */
export function MenuItem({
  icon: Icon,
  danger = false,
  reason,
  onClick,
  children,
}: {
  icon?: LucideIcon
  danger?: boolean
  reason?: string | undefined
  onClick: () => void
  children: ReactNode
}) {
  return (
    <Base.Item
      disabled={reason !== undefined}
      onClick={onClick}
      className={`${POPUP_ITEM} ${danger && reason === undefined ? 'text-block' : ''}`}
    >
      {Icon && <Icon size={16} aria-hidden className="shrink-0" />}
      <span className="min-w-0">
        {children}
        {reason !== undefined && <span className="block max-w-64 text-12">{reason}</span>}
      </span>
    </Base.Item>
  )
}

/** A link: `render` for a page of the console, `href` for any other. */
export function MenuLink({
  icon: Icon,
  children,
  ...target
}: { icon?: LucideIcon; children: ReactNode } & ({ render: ReactElement } | { href: string })) {
  return (
    <Base.LinkItem {...target} closeOnClick className={POPUP_ITEM}>
      {Icon && <Icon size={16} aria-hidden className="shrink-0" />}
      <span className="min-w-0 grow truncate">{children}</span>
    </Base.LinkItem>
  )
}

/** A group of entries with a heading. */
export function MenuGroup({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Base.Group>
      <Base.GroupLabel className="px-2.5 py-1.5 text-12 text-ink-2">{label}</Base.GroupLabel>
      {children}
    </Base.Group>
  )
}

export type ChoiceProps<Value extends string> = {
  label: string
  value: Value
  onChange: (value: Value) => void
  /** The words of each value. */
  options: Readonly<Record<Value, string>>
}

/** Entries of which one is chosen, below a heading. The menu stays open. */
export function MenuChoice<Value extends string>({ label, value, onChange, options }: ChoiceProps<Value>) {
  return (
    <Base.RadioGroup aria-label={label} value={value} onValueChange={onChange}>
      <p aria-hidden className="px-2.5 pt-1.5 pb-0.5 text-12 text-ink-2">
        {label}
      </p>
      {Object.entries<string>(options).map(([each, words]) => (
        <Base.RadioItem key={each} value={each} className={`${POPUP_ITEM} justify-between`}>
          {words}
          <Base.RadioItemIndicator>
            <Check size={14} aria-hidden />
          </Base.RadioItemIndicator>
        </Base.RadioItem>
      ))}
    </Base.RadioGroup>
  )
}

export function MenuSeparator() {
  return <Base.Separator className="my-1 h-px bg-line" />
}
