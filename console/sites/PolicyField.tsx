import { Controller, type UseFormReturn, useWatch } from 'react-hook-form'
import { type PolicyField as Name, POLICY, type SitePolicy } from '../../server/contract/sitePolicy.ts'
import { TextField } from '../ui/form/Field.tsx'
import { RadioGroup } from '../ui/form/RadioGroup.tsx'
import { Switch } from '../ui/form/Switch.tsx'
import { elapsed, whole } from '../ui/text/format.ts'
import { waitOf } from './solveTimes.ts'

/** The fields of a part of the form, in their order. */
export const fieldsOf = (group: (typeof POLICY)[Name]['group']): Exclude<Name, 'actions'>[] =>
  (Object.keys(POLICY) as Name[]).filter((name) => name !== 'actions').filter((name) => POLICY[name].group === group)

type NumberField = Extract<(typeof POLICY)[Name], { kind: 'number' }>

const isSeconds = (field: NumberField): boolean => 'unit' in field && field.unit === 'Seconds'

/** A number in words: a duration, or what a difficulty costs. */
function inWords(field: NumberField, value: unknown): string | undefined {
  if (typeof value !== 'number' || !Number.isFinite(value) || value <= 0) return undefined
  if (field === POLICY.baseWork) return `${whole(value)} hashes: ${waitOf(value)}.`
  return isSeconds(field) ? `${elapsed(value)}.` : undefined
}

/** The number in words, its bounds and its meaning: `1 h. 60 to 3,600 seconds.` */
const hintOf = (field: NumberField, value: unknown): string =>
  [
    inWords(field, value),
    `${whole(field.min)} to ${whole(field.max)}${isSeconds(field) ? ' seconds' : ''}.`,
    'hint' in field ? field.hint : undefined,
  ]
    .filter(Boolean)
    .join(' ')

/** The control of one field of a policy. The permanent attack mode is offered only where it is set, because the one for an hour ends. */
export function PolicyField({ name, form }: { name: Exclude<Name, 'actions'>; form: UseFormReturn<SitePolicy> }) {
  const field = POLICY[name]
  const idle: { field: string; value: unknown; sentence: string } | undefined = 'idle' in field ? field.idle : undefined
  const [other, own] = useWatch({ control: form.control, name: [(idle?.field ?? name) as Name, name] })
  if (field.kind === 'number')
    return (
      <TextField
        label={field.label}
        hint={idle && other === idle.value ? idle.sentence : hintOf(field, own)}
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
              Object.entries(field.options).filter(([option]) => option !== 'attack' || value === 'attack'),
            )}
          />
        )
      }
    />
  )
}
