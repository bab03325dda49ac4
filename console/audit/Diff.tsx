import { Time } from '../ui/text/Time.tsx'
import { fieldLabel, fieldText } from './fields.ts'

/** Changed fields with their old and new values; unchanged fields are collapsed. */
export function Diff({ action, before, after }: { action: string; before: unknown; after: unknown }) {
  const lines = diffFields(before, after)
  const changed = lines.filter(isChanged)
  const unchanged = lines.filter((line) => !isChanged(line))
  const valueOf = (field: string, value: unknown) =>
    typeof value === 'string' && TIME.test(value) ? (
      <Time at={Date.parse(value) / 1000} />
    ) : (
      fieldText(action, field, value)
    )
  if (lines.length === 0) return <p className="text-13 text-ink-2">No field changes.</p>
  return (
    <div className="grid gap-3">
      {changed.length > 0 && (
        <dl className="divide-y divide-line overflow-hidden rounded-panel border border-line">
          {changed.map(({ field, before, after }) => (
            <div key={field} className="px-3 py-2">
              <dt className="text-12 text-ink-2">{fieldLabel(action, field)}</dt>
              <dd className="mt-1 grid gap-1 text-12">
                {before !== undefined && (
                  <del className="rounded-xs bg-block-bg px-2 py-0.5 text-block no-underline wrap-anywhere">
                    <span aria-hidden>− </span>
                    <span className="sr-only">Before: </span>
                    {valueOf(field, before)}
                  </del>
                )}
                {after !== undefined && (
                  <ins className="rounded-xs bg-pass-bg px-2 py-0.5 text-pass no-underline wrap-anywhere">
                    <span aria-hidden>+ </span>
                    <span className="sr-only">After: </span>
                    {valueOf(field, after)}
                  </ins>
                )}
              </dd>
            </div>
          ))}
        </dl>
      )}
      {unchanged.length > 0 && (
        <details className="text-12 text-ink-2">
          <summary>{unchanged.length} unchanged</summary>
          <dl className="mt-2 grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1">
            {unchanged.map(({ field, after }) => (
              <div key={field} className="contents">
                <dt>{fieldLabel(action, field)}</dt>
                <dd className="wrap-anywhere">{valueOf(field, after)}</dd>
              </div>
            ))}
          </dl>
        </details>
      )}
    </div>
  )
}

/** One field of an event: its old and new value, undefined if absent. */
export type FieldDiff = { field: string; before: unknown; after: unknown }

/** A time as it is stored in events: ISO 8601 in UTC. */
const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/

/** The fields of both sides in their order, those of `before` first. */
export function diffFields(before: unknown, after: unknown): FieldDiff[] {
  const [previous, current] = [fieldsOf(before), fieldsOf(after)]
  return [...new Set([...previous.keys(), ...current.keys()])].map((field) => ({
    field,
    before: previous.get(field),
    after: current.get(field),
  }))
}

/** Whether the field changed. */
export const isChanged = ({ before, after }: FieldDiff): boolean => JSON.stringify(before) !== JSON.stringify(after)

const fieldsOf = (side: unknown): Map<string, unknown> =>
  new Map(typeof side === 'object' && side !== null ? Object.entries(side) : [])
