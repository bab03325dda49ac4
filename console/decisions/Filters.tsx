import { ListFilter, X } from 'lucide-react'
import { useState } from 'react'
import { type DecisionFilters, decisionFilters } from '../../server/contract/filters.ts'
import { useSiteNames } from '../frame/useTenant.ts'
import { Button } from '../ui/form/Button.tsx'
import { TextField } from '../ui/form/Field.tsx'
import { FormSheet } from '../ui/form/FormSheet.tsx'
import { SelectField } from '../ui/form/Select.tsx'
import { DEVICES, duration, FEEDBACK, PAID, RAISED, WAYS } from './words.ts'

/** The active filters, each with a button that removes it. */
export function FilterChips({
  filters,
  onChange,
}: {
  filters: DecisionFilters
  onChange: (filters: DecisionFilters) => void
}) {
  const sites = useSiteNames()
  const active = (Object.keys(decisionFilters.shape) as (keyof DecisionFilters)[]).filter(
    (name) => filters[name] !== undefined,
  )
  if (active.length === 0) return null
  return (
    <ul aria-label="Filters" className="flex flex-wrap items-center gap-2">
      {active.map((name) => {
        const label = labelOf(name, filters, sites)
        return (
          <li key={name} className="flex h-7 max-w-full items-center rounded-full border border-line-strong bg-surface">
            <span className="min-w-0 truncate pl-3 text-12">{label}</span>
            <button
              type="button"
              aria-label={`Remove filter: ${label}`}
              onClick={() => onChange({ ...filters, [name]: undefined })}
              className="ml-0.5 grid size-7 shrink-0 place-items-center rounded-full text-ink-2 hover:bg-line hover:text-ink"
            >
              <X size={12} aria-hidden />
            </button>
          </li>
        )
      })}
      {active.length > 1 && (
        <li>
          <Button look="quiet" size="small" onClick={() => onChange({})}>
            Clear all
          </Button>
        </li>
      )}
    </ul>
  )
}

function labelOf(
  name: keyof DecisionFilters,
  filters: DecisionFilters,
  sites: Readonly<Record<string, string>>,
): string {
  const { site, action, hostname, outcome, way, device, paid, slow, raised } = filters
  const words: Record<keyof DecisionFilters, string> = {
    site: `Site: ${sites[site ?? ''] ?? '…'}`,
    action: `Action: ${action}`,
    hostname: `Hostname: ${hostname}`,
    outcome: outcome === 'none' ? FEEDBACK.none : `Feedback: ${FEEDBACK[outcome ?? 'unknown']}`,
    way: WAYS[way ?? 'solved'],
    device: `Device: ${DEVICES[device ?? 'mobile']}`,
    paid: `Charged to: ${PAID[paid ?? 'quota']}`,
    slow: `Solved in ${duration(slow ?? 0)} or more`,
    raised: `Difficulty raised by: ${RAISED[raised ?? 'any']}`,
  }
  return words[name]
}

/** A button that opens a sheet with all filters. */
export function FilterSheet({
  filters,
  onChange,
}: {
  filters: DecisionFilters
  onChange: (filters: DecisionFilters) => void
}) {
  const [open, setOpen] = useState(false)
  const [draft, setDraft] = useState<DecisionFilters>({})
  const sites = useSiteNames()
  const set = (part: Partial<DecisionFilters>) => setDraft((current) => ({ ...current, ...part }))
  const seconds = draft.slow === undefined ? '' : String(draft.slow / 1000)
  return (
    <>
      <Button
        onClick={() => {
          setDraft(filters)
          setOpen(true)
        }}
      >
        <ListFilter size={14} aria-hidden />
        Filter
      </Button>
      <FormSheet
        open={open}
        onClose={() => setOpen(false)}
        title="Filter decisions"
        description="Decisions must match all filters. Share the URL to share the view."
        submit="Apply"
        onSubmit={() => {
          setOpen(false)
          onChange(normalized(draft))
        }}
      >
        <SelectField
          label="Site"
          value={draft.site ?? ''}
          onChange={(site) => set({ site: site || undefined })}
          options={{ '': 'All sites', ...sites }}
        />
        <TextField
          label="Action"
          hint="As sent by your backend."
          mono
          value={draft.action ?? ''}
          onChange={({ target }) => set({ action: target.value })}
          autoComplete="off"
          spellCheck={false}
        />
        <TextField
          label="Hostname"
          mono
          value={draft.hostname ?? ''}
          onChange={({ target }) => set({ hostname: target.value })}
          autoComplete="off"
          spellCheck={false}
        />
        <Choice
          label="Latest feedback"
          words={FEEDBACK}
          value={draft.outcome}
          onChange={(outcome) => set({ outcome })}
        />
        <Choice label="Solved or exempted" words={WAYS} value={draft.way} onChange={(way) => set({ way })} />
        <Choice label="Device" words={DEVICES} value={draft.device} onChange={(device) => set({ device })} />
        <TextField
          label="Slower than (seconds)"
          inputMode="decimal"
          type="number"
          min={0}
          step={0.1}
          value={seconds}
          onChange={({ target }) =>
            set({ slow: target.value === '' ? undefined : Math.max(0, Math.round(Number(target.value) * 1000)) })
          }
        />
        <Choice
          label="Difficulty raised by"
          words={RAISED}
          value={draft.raised}
          onChange={(raised) => set({ raised })}
        />
        <Choice label="Charged to" words={PAID} value={draft.paid} onChange={(paid) => set({ paid })} />
      </FormSheet>
    </>
  )
}

/** A select with an additional option "Any". */
function Choice<Value extends string>({
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

/** Trims text and drops empty values. */
const normalized = ({ action, hostname, ...rest }: DecisionFilters): DecisionFilters => ({
  ...rest,
  action: action?.trim() || undefined,
  hostname: hostname?.trim().toLowerCase() || undefined,
})
