import { Select as Base } from '@base-ui/react/select'
import { Check, ChevronsUpDown } from 'lucide-react'
import { POPUP, POPUP_ITEM, TRIGGER } from '../overlay/popup.ts'

export type SelectBoxProps = {
  value: string
  onChange: (value: string) => void
  options: Readonly<Record<string, string>>
  /** Connects the control to its label. */
  control: { id: string } | { 'aria-label': string }
  wide: boolean
}

/** The control of a select, without its label. */
export function SelectBox({ value, onChange, options, control, wide }: SelectBoxProps) {
  const items = Object.entries(options).map(([value, label]) => ({ value, label }))
  return (
    <Base.Root items={items} value={value} onValueChange={(next) => next !== null && onChange(next)}>
      <Base.Trigger {...control} className={TRIGGER[wide ? 'wide' : 'narrow']}>
        <Base.Value />
        <Base.Icon>
          <ChevronsUpDown size={14} aria-hidden className="text-ink-2" />
        </Base.Icon>
      </Base.Trigger>
      <Base.Portal>
        <Base.Positioner alignItemWithTrigger={false} sideOffset={4} className="z-50">
          <Base.Popup className={`${POPUP} min-w-(--anchor-width) max-w-[min(24rem,calc(100vw-2rem))]`}>
            <Base.List>
              {items.map(({ value, label }) => (
                <Base.Item key={value} value={value} className={POPUP_ITEM}>
                  <Base.ItemText className="min-w-0 grow truncate">{label}</Base.ItemText>
                  <Base.ItemIndicator>
                    <Check size={14} aria-hidden />
                  </Base.ItemIndicator>
                </Base.Item>
              ))}
            </Base.List>
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
