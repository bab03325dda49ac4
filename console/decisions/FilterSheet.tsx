import { ListFilter } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../ui/form/Button.tsx'
import { TextField } from '../ui/form/Field.tsx'
import { FormSheet } from '../ui/form/FormSheet.tsx'
import { SelectField } from '../ui/form/Select.tsx'
import type { Filters } from './search.ts'
import { useSites } from './useSites.ts'
import { DEVICES, OUTCOMES, PAID, RAISED, WAYS } from './words.ts'

/** The button and the sheet with all filters. */
export function FilterSheet({ filters, onAsk }: { filters: Filters; onAsk: (filters: Filters) => void }) {
  const [open, setOpen] = useState(false)
  const [typed, setTyped] = useState<Filters>({})
  const sites = useSites()
  const set = (part: Partial<Filters>) => setTyped((known) => ({ ...known, ...part }))
  const seconds = typed.slow === undefined ? '' : String(typed.slow / 1000)
  return (
    <>
      <Button
        onClick={() => {
          setTyped(filters)
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
        busy={false}
        error={null}
        onSubmit={(event) => {
          event.preventDefault()
          setOpen(false)
          onAsk(tidy(typed))
        }}
      >
        <SelectField
          label="Site"
          value={typed.site ?? ''}
          onChange={(site) => set({ site: site || undefined })}
          options={{ '': 'All sites', ...sites }}
        />
        <TextField
          label="Action"
          hint="As sent by your backend."
          mono
          value={typed.action ?? ''}
          onChange={({ target }) => set({ action: target.value })}
          autoComplete="off"
          spellCheck={false}
        />
        <TextField
          label="Hostname"
          mono
          value={typed.hostname ?? ''}
          onChange={({ target }) => set({ hostname: target.value })}
          autoComplete="off"
          spellCheck={false}
        />
        <Choice
          label="Latest feedback"
          words={OUTCOMES}
          value={typed.outcome}
          onChange={(outcome) => set({ outcome })}
        />
        <Choice label="Solved or exempted" words={WAYS} value={typed.way} onChange={(way) => set({ way })} />
        <Choice label="Device" words={DEVICES} value={typed.device} onChange={(device) => set({ device })} />
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
          value={typed.raised}
          onChange={(raised) => set({ raised })}
        />
        <Choice label="Charged to" words={PAID} value={typed.paid} onChange={(paid) => set({ paid })} />
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

/** The filters without empty values. */
const tidy = ({ action, hostname, ...rest }: Filters): Filters => ({
  ...rest,
  action: action?.trim() || undefined,
  hostname: hostname?.trim().toLowerCase() || undefined,
})
