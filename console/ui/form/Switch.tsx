import { Switch as Base } from '@base-ui/react/switch'
import { type ReactNode, useId } from 'react'

/** A switch that takes effect immediately. With a `reason` it is disabled and shows the reason. */
export function Switch({
  label,
  hint,
  checked,
  onChange,
  reason,
}: {
  label: string
  hint?: ReactNode
  checked: boolean
  onChange: (checked: boolean) => void
  reason?: string | undefined
}) {
  const id = useId()
  return (
    <div className="flex items-start justify-between gap-6">
      <div>
        <p id={id} className="text-13 font-medium">
          {label}
        </p>
        <p id={`${id}-hint`} className="max-w-136 text-12 text-pretty text-ink-2">
          {hint}
          {reason !== undefined && <span className="block">{reason}</span>}
        </p>
      </div>
      <Base.Root
        aria-labelledby={id}
        aria-describedby={`${id}-hint`}
        checked={checked}
        disabled={reason !== undefined}
        onCheckedChange={onChange}
        className="flex h-5 w-9 shrink-0 items-center rounded-full border border-line-strong bg-sunken p-0.5 transition-colors data-checked:border-brand data-checked:bg-brand data-disabled:opacity-60"
      >
        <Base.Thumb className="size-3.5 rounded-full bg-line-strong transition-transform data-checked:translate-x-4 data-checked:bg-on-brand" />
      </Base.Root>
    </div>
  )
}
