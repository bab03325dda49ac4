import { Select as Base } from '@base-ui/react/select'
import { Check, ChevronsUpDown } from 'lucide-react'
import { POPUP, POPUP_ITEM, TRIGGER } from '../overlay/popup.ts'
import { type Early, useHeld } from '../overlay/useEarly.ts'

export type SelectBoxProps = {
  value: string
  onChange: (value: string) => void
  options: Readonly<Record<string, string>>
  /** What ties it to its label. */
  control: { id: string } | { 'aria-label': string }
  wide: boolean
  early: Early
}

/** The control of Select.tsx. */
export function SelectBox({ value, onChange, options, control, wide, early }: SelectBoxProps) {
  const button = useHeld(early)
  const items = Object.entries(options).map(([value, label]) => ({ value, label }))
  return (
    <Base.Root
      items={items}
      value={value}
      onValueChange={(next) => next !== null && onChange(next)}
      defaultOpen={early.wanted}
    >
      <Base.Trigger ref={button} {...control} className={TRIGGER[wide ? 'wide' : 'narrow']}>
        <Base.Value />
        <Base.Icon>
          <ChevronsUpDown size={14} aria-hidden className="text-ink-2" />
        </Base.Icon>
      </Base.Trigger>
      <Base.Portal>
        <Base.Positioner alignItemWithTrigger={false} sideOffset={4} className="z-50">
          <Base.Popup className={`${POPUP} min-w-(--anchor-width)`}>
            <Base.List>
              {items.map(({ value, label }) => (
                <Base.Item key={value} value={value} className={POPUP_ITEM}>
                  <Base.ItemText className="grow">{label}</Base.ItemText>
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
