import { Select as Base } from '@base-ui/react/select'
import { Check, ChevronsUpDown } from 'lucide-react'
import { Field, type FieldProps } from './Field.tsx'
import { POPUP, POPUP_ITEM } from './popup.ts'

type Choice<Value extends string> = {
  value: Value
  onChange: (value: Value) => void
  /** What each value is called, in the order shown. */
  options: Readonly<Record<Value, string>>
}

/** One of a few values, with a label above. */
export function SelectField<Value extends string>({ label, hint, error, ...choice }: FieldProps & Choice<Value>) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => <SelectBox {...choice} control={control} wide />}
    </Field>
  )
}

/** One of a few values in a bar of filters; `label` is heard, not seen. */
export function Select<Value extends string>({ label, ...choice }: Choice<Value> & { label: string }) {
  return <SelectBox {...choice} control={{ 'aria-label': label }} wide={false} />
}

function SelectBox<Value extends string>({
  value,
  onChange,
  options,
  control,
  wide,
}: Choice<Value> & { control: object; wide: boolean }) {
  const items = Object.entries<string>(options).map(([value, label]) => ({ value, label }))
  return (
    <Base.Root items={items} value={value} onValueChange={(next) => next !== null && onChange(next)}>
      <Base.Trigger
        {...control}
        className={`flex items-center justify-between gap-3 rounded-control border border-line-strong bg-surface px-3 text-ink hover:bg-sunken aria-invalid:border-block data-popup-open:bg-sunken ${wide ? 'h-9 w-full text-14' : 'h-8 text-13 font-medium'}`}
      >
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
