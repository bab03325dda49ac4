import type { DecisionFilters } from '../../server/contract/filters.ts'
import { useSiteNames } from '../frame/useTenant.ts'
import { TextField } from '../ui/form/Field.tsx'
import { ChoiceFilter, FilterChips, FilterSheet, TextFilter, textFilterLabel } from '../ui/table/Filters.tsx'
import type { DecisionRow } from './api.ts'
import { DEVICES, duration, FEEDBACK, PAID, RAISED, WAYS } from './words.ts'

type Props = { filters: DecisionFilters; onChange: (filters: DecisionFilters) => void }

/** The active filters of the decisions, each with a button that removes it. */
export function DecisionChips({ filters, onChange }: Props) {
  const sites = useSiteNames()
  const { site, action, hostname, outcome, way, device, paid, slow, raised } = filters
  const labels: Record<keyof DecisionFilters, string | undefined> = {
    site: site && `Site: ${sites[site] ?? '…'}`,
    action: action && textFilterLabel('Action', action),
    hostname: hostname && textFilterLabel('Hostname', hostname),
    outcome: outcome && (outcome === 'none' ? FEEDBACK.none : `Feedback: ${FEEDBACK[outcome]}`),
    way: way && WAYS[way],
    device: device && `Device: ${DEVICES[device]}`,
    paid: paid && `Charged to: ${PAID[paid]}`,
    slow: slow === undefined ? undefined : `Solved in ${duration(slow)} or more`,
    raised: raised && `Difficulty raised by: ${RAISED[raised]}`,
  }
  return (
    <FilterChips
      labels={labels}
      onRemove={(name) => onChange({ ...filters, [name]: undefined })}
      onClear={() => onChange({})}
    />
  )
}

/** A button that opens the filters of the decisions: five, and the rest on request. `rows`: what they suggest. */
export function DecisionFilterSheet({ filters, rows, onChange }: Props & { rows: readonly DecisionRow[] | undefined }) {
  const sites = useSiteNames()
  const { way, slow, raised, paid } = filters
  return (
    <FilterSheet noun="decisions" filters={filters} onChange={onChange}>
      {(draft, set) => (
        <>
          <ChoiceFilter label="Site" words={sites} value={draft.site} onChange={(site) => set({ site })} />
          <TextFilter
            label="Action"
            hint="As sent by your backend, or a part of it."
            seen={rows?.map((row) => row.action)}
            value={draft.action}
            onChange={(action) => set({ action })}
          />
          <TextFilter
            label="Hostname"
            hint="All of it, or a part."
            seen={rows?.map((row) => row.hostname)}
            value={draft.hostname}
            onChange={(hostname) => set({ hostname })}
          />
          <ChoiceFilter
            label="Latest feedback"
            words={FEEDBACK}
            value={draft.outcome}
            onChange={(outcome) => set({ outcome })}
          />
          <ChoiceFilter label="Device" words={DEVICES} value={draft.device} onChange={(device) => set({ device })} />
          <details open={(way ?? slow ?? raised ?? paid) !== undefined}>
            <summary className="text-13 text-ink-2">More filters</summary>
            <div className="mt-4 grid gap-4">
              <ChoiceFilter
                label="Solved or exempted"
                words={WAYS}
                value={draft.way}
                onChange={(way) => set({ way })}
              />
              <TextField
                label="Slower than (seconds)"
                inputMode="decimal"
                type="number"
                min={0}
                step={0.1}
                value={draft.slow === undefined ? '' : String(draft.slow / 1000)}
                onChange={({ target: { value } }) =>
                  set({ slow: value === '' ? undefined : Math.max(0, Math.round(Number(value) * 1000)) })
                }
              />
              <ChoiceFilter
                label="Difficulty raised by"
                words={RAISED}
                value={draft.raised}
                onChange={(raised) => set({ raised })}
              />
              <ChoiceFilter label="Charged to" words={PAID} value={draft.paid} onChange={(paid) => set({ paid })} />
            </div>
          </details>
        </>
      )}
    </FilterSheet>
  )
}
