import type { ReactNode } from 'react'
import { Controller, type UseFormReturn, useWatch } from 'react-hook-form'
import {
  describePolicyField,
  type PolicyField as Name,
  POLICY,
  type SitePolicy,
} from '../../server/contract/sitePolicy.ts'
import { TextField } from '../ui/form/Field.tsx'
import { RadioGroup } from '../ui/form/RadioGroup.tsx'
import { Switch } from '../ui/form/Switch.tsx'

/** The fields of a part of the form, in their order. */
export const fieldsOf = (group: (typeof POLICY)[Name]['group']): Exclude<Name, 'actions'>[] =>
  (Object.keys(POLICY) as Name[]).filter((name) => name !== 'actions').filter((name) => POLICY[name].group === group)

/** The control of one field of a policy. `hints`: in place of an option's own. */
export function PolicyField({
  name,
  form,
  hints,
}: {
  name: Exclude<Name, 'actions'>
  form: UseFormReturn<SitePolicy>
  hints?: Record<string, ReactNode>
}) {
  const field = POLICY[name]
  const idle: { field: string; value: unknown; sentence: string } | undefined = 'idle' in field ? field.idle : undefined
  const other = useWatch({ control: form.control, name: (idle?.field ?? name) as Name })
  if (field.kind === 'number')
    return (
      <TextField
        label={field.label}
        hint={idle && other === idle.value ? idle.sentence : describePolicyField(name)}
        type="number"
        step={1}
        error={form.formState.errors[name]?.message}
        {...form.register(name, { valueAsNumber: true })}
      />
    )
  return (
    <Controller
      control={form.control}
      name={name}
      render={({ field: { value, onChange } }) =>
        field.kind === 'flag' ? (
          <Switch label={field.label} hint={field.hint} checked={value === true} onChange={onChange} />
        ) : (
          <RadioGroup
            label={field.label}
            value={String(value)}
            onChange={onChange}
            options={Object.fromEntries(
              Object.entries(field.options).map(([option, { label, hint }]) => [
                option,
                { label, hint: hints?.[option] || hint },
              ]),
            )}
          />
        )
      }
    />
  )
}
