import type { ComponentProps } from 'react'
import * as z from 'zod/mini'
import { TextField } from '../ui/form/Field.tsx'

export const reasonShape = z
  .string()
  .check(
    z.trim(),
    z.minLength(3, 'Give a reason of at least 3 characters.'),
    z.maxLength(500, 'At most 500 characters.'),
  )

/** The reason that staff give for every change. `hint` says who sees it, if it is not a change of a tenant. */
export function ReasonField({
  hint = 'Shown to the tenant in its audit log. Include the ticket.',
  ...props
}: { error: string | undefined; hint?: string } & Omit<ComponentProps<'input'>, 'className' | 'id'>) {
  return <TextField label="Reason" hint={hint} autoComplete="off" maxLength={500} {...props} />
}
