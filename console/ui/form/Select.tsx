import { ChevronsUpDown } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { TRIGGER } from '../overlay/popup.ts'
import { useEarly } from '../overlay/useEarly.ts'
import { Field, type FieldProps } from './Field.tsx'
import type { SelectBoxProps } from './SelectBox.tsx'

type Choice<Value extends string> = {
  value: Value
  onChange: (value: Value) => void
  /** What each value is called, in the order shown. */
  options: Readonly<Record<Value, string>>
}

// like menus, loaded after the page is shown; whoever opens it before gets it once it is there
const SelectBox = lazy(async () => ({ default: (await import('./SelectBox.tsx')).SelectBox }))

/** One of a few values, with a label above. */
export function SelectField<Value extends string>({ label, hint, error, ...choice }: FieldProps & Choice<Value>) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => <Box {...untyped(choice)} control={control} wide />}
    </Field>
  )
}

/** One of a few values in a bar of filters; `label` is heard, not seen. */
export function Select<Value extends string>({ label, ...choice }: Choice<Value> & { label: string }) {
  return <Box {...untyped(choice)} control={{ 'aria-label': label }} wide={false} />
}

function Box(props: Omit<SelectBoxProps, 'early'>) {
  const { value, options, control, wide } = props
  const { early, listeners } = useEarly()
  const fallback = (
    <button
      type="button"
      aria-haspopup="listbox"
      className={TRIGGER[wide ? 'wide' : 'narrow']}
      {...control}
      {...listeners}
    >
      {options[value]}
      <ChevronsUpDown size={14} aria-hidden className="text-ink-2" />
    </button>
  )
  return (
    <Suspense fallback={fallback}>
      <SelectBox {...props} early={early} />
    </Suspense>
  )
}

/** What is loaded later knows no type parameter; it hands back nothing but keys of `options`. */
const untyped = <Value extends string>({ value, onChange, options }: Choice<Value>) => ({
  value,
  onChange: (next: string) => onChange(next as Value),
  options,
})
