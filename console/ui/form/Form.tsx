import type { FormEvent, ReactNode } from 'react'
import type { FieldPath, FieldValues, RegisterOptions, UseFormReturn } from 'react-hook-form'

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

/** Connects a text field to the form, and shows its error: spread it into a `TextField`. */
export const field = <Values extends FieldValues, Name extends FieldPath<Values>>(
  { register, getFieldState, formState }: Pick<UseFormReturn<Values>, 'register' | 'getFieldState' | 'formState'>,
  name: Name,
  options?: RegisterOptions<Values, Name>,
) => ({ ...register(name, options), error: getFieldState(name, formState).error?.message })
