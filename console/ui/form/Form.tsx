import type { FormEvent, ReactNode } from 'react'

/** A form. Give it `form.handleSubmit(…)`; the browser's own validation is off. */
export function Form({
  onSubmit,
  narrow = false,
  children,
}: {
  onSubmit: (event: FormEvent<HTMLFormElement>) => unknown
  /** Limits the width to that of its fields. */
  narrow?: boolean
  children: ReactNode
}) {
  return (
    <form noValidate className={`grid gap-4 ${narrow ? 'max-w-96' : ''}`} onSubmit={(event) => void onSubmit(event)}>
      {children}
    </form>
  )
}
