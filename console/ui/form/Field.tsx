import { type ComponentProps, type ReactNode, useId } from 'react'

/** Connects a control to its label, hint and error. */
export type FieldControl = { id: string; 'aria-describedby': string | undefined; 'aria-invalid': true | undefined }

export type FieldProps = {
  label: string
  /** One sentence that helps to fill in the field. */
  hint?: ReactNode
  error?: string | undefined
}

/** Label, control and hint of a field. An error takes the place of the hint, which often gives the same rule. */
export function Field({
  label,
  hint,
  error,
  children,
}: FieldProps & { children: (control: FieldControl) => ReactNode }) {
  const id = useId()
  const noteId = `${id}-note`
  return (
    <div>
      <label htmlFor={id} className="mb-1 block text-13 font-medium">
        {label}
      </label>
      {children({
        id,
        'aria-describedby': (error ?? hint) === undefined ? undefined : noteId,
        'aria-invalid': error === undefined ? undefined : true,
      })}
      {error !== undefined ? (
        <p key="error" id={noteId} role="alert" className="mt-1 text-12 font-medium text-block">
          {error}
        </p>
      ) : (
        hint !== undefined && (
          <p key="hint" id={noteId} className="mt-1 text-12 text-ink-2">
            {hint}
          </p>
        )
      )}
    </div>
  )
}

/** The look of text inputs. */
export const INPUT =
  'block h-9 w-full rounded-control border border-line-strong bg-surface px-3 text-14 text-ink placeholder:text-ink-3 aria-invalid:border-block read-only:bg-sunken'

/** A text input; `action` is a button beside it. Spread `form.register('name')` into it. */
export function TextField({
  label,
  hint,
  error,
  mono = false,
  action,
  ...input
}: FieldProps & { mono?: boolean; action?: ReactNode } & Omit<ComponentProps<'input'>, 'className' | 'id'>) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => (
        <div className="flex gap-2">
          <input type="text" className={`${INPUT} ${mono ? 'font-mono text-13' : ''}`} {...input} {...control} />
          {action}
        </div>
      )}
    </Field>
  )
}
