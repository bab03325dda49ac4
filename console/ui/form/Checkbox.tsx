import type { ComponentProps, ReactNode } from 'react'
import { useId } from 'react'

/** A checkbox in a form. Spread `form.register('name')` into it. */
export function Checkbox({
  label,
  hint,
  ...input
}: { label: ReactNode; hint?: ReactNode } & Omit<ComponentProps<'input'>, 'className' | 'type' | 'id'>) {
  const id = useId()
  return (
    <div className="flex items-start gap-2.5">
      <input
        type="checkbox"
        id={id}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        className="mt-0.5 size-4 shrink-0 accent-brand"
        {...input}
      />
      <div>
        <label htmlFor={id} className="block text-13 font-medium">
          {label}
        </label>
        {hint !== undefined && (
          <p id={`${id}-hint`} className="text-12 text-ink-2">
            {hint}
          </p>
        )}
      </div>
    </div>
  )
}
