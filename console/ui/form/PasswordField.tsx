import { Eye, EyeOff } from 'lucide-react'
import { type ComponentProps, useState } from 'react'
import { Field, type FieldProps, INPUT } from './Field.tsx'

/** A password input with a button that shows the password. It replaces a second input to repeat the password. */
export function PasswordField({
  label,
  hint,
  error,
  ...input
}: FieldProps & Omit<ComponentProps<'input'>, 'className' | 'id' | 'type'>) {
  const [shown, setShown] = useState(false)
  const Icon = shown ? EyeOff : Eye
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => (
        <span className="relative block">
          <input type={shown ? 'text' : 'password'} className={`${INPUT} pr-10`} {...input} {...control} />
          <button
            type="button"
            aria-pressed={shown}
            onClick={() => setShown(!shown)}
            className="absolute inset-y-0.5 right-0.5 grid w-8 place-items-center rounded-control text-ink-2 hover:text-ink"
          >
            <Icon size={16} aria-hidden />
            <span className="sr-only">Show password</span>
          </button>
        </span>
      )}
    </Field>
  )
}
