import type { ComponentProps } from 'react'
import * as z from 'zod/mini'
import { TextField } from '../ui/form/Field.tsx'
import { atMost } from '../ui/form/text.ts'

export const reasonShape = z
  .string()
  .check(z.trim(), z.minLength(3, 'Give a reason of at least 3 characters.'), atMost(500))

/** The reason that staff give for every change. `hint` says who sees it, if it is not a change of a tenant. */
export function ReasonField({
  hint = 'Shown to the tenant in its audit log. Include the ticket.',
  ...props
}: { error: string | undefined; hint?: string } & Omit<ComponentProps<'input'>, 'className' | 'id'>) {
  return <TextField label="Reason" hint={hint} autoComplete="off" {...props} />
}
