import { Plus, Trash2 } from 'lucide-react'
import { useId } from 'react'
import { type Control, Controller, type FieldErrors, type UseFormRegister, useFieldArray } from 'react-hook-form'
import { MOST_ACTIONS, POLICY, type SitePolicy } from '../../server/contract/sitePolicy.ts'
import { Button } from '../ui/form/Button.tsx'
import { TextField } from '../ui/form/Field.tsx'
import { IconButton } from '../ui/form/IconButton.tsx'
import { SelectField } from '../ui/form/Select.tsx'

type Props = {
  control: Control<SitePolicy>
  register: UseFormRegister<SitePolicy>
  errors: FieldErrors<SitePolicy>
  /** For a new row. */
  baseWork: number
  /** Actions that visitors have used recently. */
  seen: readonly string[]
}

type Mode = SitePolicy['workMode']

/** The permanent attack mode only where it is set. */
const modesBeside = (present: Mode) =>
  Object.fromEntries(
    Object.entries(POLICY.workMode.options)
      .filter(([mode]) => mode !== 'attack' || present === 'attack')
      .map(([mode, { label }]) => [mode, label]),
  ) as Record<Mode, string>

/** The actions of the site that have a difficulty of their own. */
export function ActionPolicies({ control, register, errors, baseWork, seen }: Props) {
  const id = useId()
  const { fields, append, remove } = useFieldArray({ control, name: 'actions' })
  const listed = new Set(fields.map(({ action }) => action))
  const add = (action: string) => append({ action, baseWork, workMode: 'adaptive' })
  return (
    <fieldset className="grid gap-3">
      <legend className="mb-1 text-13 font-medium">{POLICY.actions.label}</legend>
      <p className="text-12 text-ink-2">{POLICY.actions.hint}</p>
      <datalist id={id}>
        {seen
          .filter((action) => !listed.has(action))
          .map((action) => (
            <option key={action} value={action}>
              {action}
            </option>
          ))}
      </datalist>
      {fields.map((field, at) => (
        <fieldset
          key={field.id}
          aria-label={field.action === '' ? `Action ${at + 1}` : `Action ${field.action}`}
          className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-x-2 gap-y-3 rounded-panel border border-line p-3 md:grid-cols-[repeat(3,minmax(0,1fr))_auto]"
        >
          <TextField
            label="Action"
            list={id}
            autoComplete="off"
            spellCheck={false}
            error={errors.actions?.[at]?.action?.message}
            {...register(`actions.${at}.action`)}
          />
          <div className="max-md:col-span-full">
            <TextField
              label="Difficulty"
              type="number"
              error={errors.actions?.[at]?.baseWork?.message}
              {...register(`actions.${at}.baseWork`, { valueAsNumber: true })}
            />
          </div>
          <div className="max-md:col-span-full">
            <Controller
              control={control}
              name={`actions.${at}.workMode`}
              render={({ field }) => (
                <SelectField
                  label="Mode"
                  value={field.value}
                  onChange={field.onChange}
                  options={modesBeside(field.value)}
                />
              )}
            />
          </div>
          <div className="pt-6 max-md:col-start-2 max-md:row-start-1">
            <IconButton
              label={`Remove ${field.action === '' ? `action ${at + 1}` : field.action}`}
              icon={Trash2}
              onClick={() => remove(at)}
            />
          </div>
        </fieldset>
      ))}
      <div className="flex flex-wrap gap-2">
        <Button
          size="small"
          reason={fields.length < MOST_ACTIONS ? undefined : `A site can have ${MOST_ACTIONS} of them.`}
          onClick={() => add('')}
        >
          <Plus size={14} aria-hidden />
          Add action
        </Button>
      </div>
    </fieldset>
  )
}
