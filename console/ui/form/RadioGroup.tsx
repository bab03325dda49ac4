import { type ReactNode, useId } from 'react'

export type RadioOption = {
  label: string
  hint?: ReactNode
  /** Why it is disabled. */
  reason?: string | undefined
}

/** Radio buttons, each with a hint, or the reason why it is disabled. */
export function RadioGroup<Value extends string>({
  label,
  value,
  onChange,
  options,
}: {
  label: string
  value: Value
  onChange: (value: Value) => void
  options: Readonly<Record<Value, RadioOption>>
}) {
  const id = useId()
  return (
    <fieldset>
      <legend className="mb-1 text-13 font-medium">{label}</legend>
      <div className="grid divide-y divide-line overflow-hidden rounded-panel border border-line-strong">
        {Object.entries<RadioOption>(options).map(([key, { label, hint, reason }]) => (
          <label
            key={key}
            className={`flex items-start gap-2.5 px-3 py-2 ${key === value ? 'bg-line/40' : ''} ${reason === undefined ? 'cursor-pointer hover:bg-line/40' : ''}`}
          >
            <input
              type="radio"
              name={id}
              value={key}
              checked={key === value}
              disabled={reason !== undefined}
              onChange={() => onChange(key as Value)}
              className="mt-0.5 size-4 shrink-0 accent-brand"
            />
            <span>
              <span className="block text-13 font-medium">{label}</span>
              {hint !== undefined && <span className="block text-12 text-ink-2">{hint}</span>}
              {reason !== undefined && <span className="block text-12 text-ink-2 italic">{reason}</span>}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
