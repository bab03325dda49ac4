import { ListFilter, X } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { Button } from '../form/Button.tsx'
import { TextField } from '../form/Field.tsx'
import { FormSheet } from '../form/FormSheet.tsx'
import { SelectField } from '../form/Select.tsx'

/** The active filters, each with a button that removes it. `labels`: by name, undefined for those that are not set. */
export function FilterChips<Name extends string>({
  labels,
  onRemove,
  onClear,
}: {
  labels: Readonly<Record<Name, string | undefined>>
  onRemove: (name: Name) => void
  onClear: () => void
}) {
  const active = Object.entries<string | undefined>(labels).filter(
    (entry): entry is [Name, string] => entry[1] !== undefined,
  )
  if (active.length === 0) return null
  return (
    <ul aria-label="Filters" className="flex flex-wrap items-center gap-2">
      {active.map(([name, label]) => (
        <li key={name} className="flex h-7 max-w-full items-center rounded-full border border-line-strong bg-surface">
          <span className="min-w-0 truncate pl-3 text-12">{label}</span>
          <button
            type="button"
            aria-label={`Remove filter: ${label}`}
            onClick={() => onRemove(name)}
            className="ml-0.5 grid size-7 shrink-0 place-items-center rounded-full text-ink-2 hover:bg-line hover:text-ink"
          >
            <X size={12} aria-hidden />
          </button>
        </li>
      ))}
      {active.length > 1 && (
        <li>
          <Button look="quiet" size="small" onClick={onClear}>
            Clear all
          </Button>
        </li>
      )}
    </ul>
  )
}

/** A button that opens a sheet with all filters. `children`: the fields for what is chosen so far, and what changes it. */
export function FilterSheet<Filters extends object>({
  noun,
  filters,
  onChange,
  children,
}: {
  /** What is filtered, such as `decisions`. */
  noun: string
  filters: Filters
  onChange: (filters: Filters) => void
  children: (draft: Partial<Filters>, set: (part: Partial<Filters>) => void) => ReactNode
}) {
  const [draft, setDraft] = useState<Filters>()
  return (
    <>
      <Button onClick={() => setDraft(filters)}>
        <ListFilter size={14} aria-hidden />
        Filter
      </Button>
      <FormSheet
        open={draft !== undefined}
        onClose={() => setDraft(undefined)}
        title={`Filter ${noun}`}
        description="All filters must match."
        submit="Apply"
        onSubmit={() => {
          if (draft) onChange(draft)
          setDraft(undefined)
        }}
      >
        {children(draft ?? {}, (part) => setDraft((current) => current && { ...current, ...part }))}
      </FormSheet>
    </>
  )
}

/** The words of a filter whose text is a whole value, or a part of one between asterisks. */
export const textFilterLabel = (name: string, text: string): string =>
  text.includes('*') ? `${name} contains ${partOf(text)}` : `${name}: ${text}`

const partOf = (text: string): string => text.replaceAll(/^\*|\*$/g, '')

/**
 * A field for a filter of text. `seen`: values that occur, which it suggests, each of any number of times: the filter is one of them,
 * or a part of one between asterisks.
 */
export function TextFilter({
  label,
  hint,
  seen,
  value,
  onChange,
}: {
  label: string
  hint?: string
  seen?: readonly (string | null)[] | undefined
  value: string | undefined
  onChange: (value: string | undefined) => void
}) {
  const id = useId()
  const [typed, setTyped] = useState(() => partOf(value ?? ''))
  const type = (text: string) => {
    setTyped(text)
    const trimmed = text.trim()
    const isWhole = seen === undefined || seen.includes(trimmed)
    onChange(trimmed === '' ? undefined : isWhole ? trimmed : `*${trimmed}*`)
  }
  return (
    <>
      <TextField
        label={label}
        hint={hint}
        mono
        list={id}
        value={typed}
        onChange={({ target }) => type(target.value)}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
      />
      <datalist id={id}>
        {[...new Set(seen)].map(
          (each) =>
            each !== null && (
              <option key={each} value={each}>
                {each}
              </option>
            ),
        )}
      </datalist>
    </>
  )
}

/** A select for a filter, with the option "Any". */
export function ChoiceFilter<Value extends string>({
  label,
  words,
  value,
  onChange,
}: {
  label: string
  words: Readonly<Record<Value, string>>
  value: Value | undefined
  onChange: (value: Value | undefined) => void
}) {
  const options = { '': 'Any', ...words } as Record<Value | '', string>
  return (
    <SelectField<Value | ''>
      label={label}
      value={value ?? ''}
      onChange={(next) => onChange(next === '' ? undefined : next)}
      options={options}
    />
  )
}
