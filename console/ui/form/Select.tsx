import { ChevronsUpDown } from 'lucide-react'
import { Suspense } from 'react'
import { lazyPart } from '../overlay/lazyPart.ts'
import { TRIGGER } from '../overlay/popup.ts'
import { Field, type FieldProps } from './Field.tsx'
import type { SelectBoxProps } from './SelectBox.tsx'

type Choice<Value extends string> = {
  value: Value
  onChange: (value: Value) => void
  /** The label of each value, in the order shown. */
  options: Readonly<Record<Value, string>>
}

// loaded after the page, like menus (overlay/Menu.tsx)
const SelectBox = lazyPart(async () => (await import('./SelectBox.tsx')).SelectBox)

/** A select with a label above it, for forms. */
export function SelectField<Value extends string>({ label, hint, error, ...choice }: FieldProps & Choice<Value>) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => <Box {...untyped(choice)} control={control} wide />}
    </Field>
  )
}

/** A select for a filter bar. `label` is for screen readers only. */
export function Select<Value extends string>({ label, ...choice }: Choice<Value> & { label: string }) {
  return <Box {...untyped(choice)} control={{ 'aria-label': label }} wide={false} />
}

function Box(props: SelectBoxProps) {
  const { value, options, control, wide } = props
  const fallback = (
    // a button for the moment: its label must then contain what it shows
    <button
      type="button"
      disabled
      className={TRIGGER[wide ? 'wide' : 'narrow']}
      {...control}
      {...('aria-label' in control && { 'aria-label': `${control['aria-label']}: ${options[value]}` })}
    >
      {options[value]}
      <ChevronsUpDown size={14} aria-hidden className="text-ink-2" />
    </button>
  )
  return (
    <Suspense fallback={fallback}>
      <SelectBox {...props} />
    </Suspense>
  )
}

/** A lazy component has no type parameter; SelectBox returns only keys of `options`. */
const untyped = <Value extends string>({ value, onChange, options }: Choice<Value>) => ({
  value,
  onChange: (next: string) => onChange(next as Value),
  options,
})
