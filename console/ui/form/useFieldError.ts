import { useEffect } from 'react'
import type { FieldPath, FieldValues, UseFormReturn } from 'react-hook-form'
import { describeError, fieldOf } from '../page/errorMessage.ts'

/**
 * Shows an error of the service at the field that it names, and moves the focus there. Returns the mutation for the form, whose
 * error is null if it is shown at a field.
 */
export function useFieldError<Values extends FieldValues>(
  form: UseFormReturn<Values>,
  { isPending, error }: { isPending: boolean; error: unknown },
): { isPending: boolean; error: unknown } {
  const { setError, clearErrors } = form
  const refused = fieldOf(error)
  const name =
    refused !== undefined && Object.hasOwn(form.getValues(), refused) ? (refused as FieldPath<Values>) : undefined
  useEffect(() => {
    if (name === undefined) return
    setError(name, { type: 'server', message: describeError(error).title }, { shouldFocus: true })
    return () => clearErrors(name)
  }, [name, error, setError, clearErrors])
  return { isPending, error: name === undefined ? error : null }
}
