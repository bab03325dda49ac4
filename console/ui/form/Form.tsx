import type { FormEvent, ReactNode } from 'react'

/** Fields one under the other. Hand it `form.handleSubmit(…)`: our own words about faults, not the browser's. */
export function Form({
  onSubmit,
  narrow = false,
  children,
}: {
  onSubmit: (event: FormEvent<HTMLFormElement>) => unknown
  /** No wider than what is typed into it. */
  narrow?: boolean
  children: ReactNode
}) {
  return (
    <form noValidate className={`grid gap-4 ${narrow ? 'max-w-96' : ''}`} onSubmit={(event) => void onSubmit(event)}>
      {children}
    </form>
  )
}
