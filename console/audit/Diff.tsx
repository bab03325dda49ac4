/** Changed fields with their old and new values; unchanged fields are collapsed. */
export function Diff({ before, after }: { before: unknown; after: unknown }) {
  const lines = diffFields(before, after)
  const changed = lines.filter(isChanged)
  const unchanged = lines.filter((line) => !isChanged(line))
  if (lines.length === 0) return <p className="text-13 text-ink-2">No field changes.</p>
  return (
    <div className="grid gap-3">
      {changed.length > 0 && (
        <dl className="divide-y divide-line overflow-hidden rounded-panel border border-line">
          {changed.map(({ field, before, after }) => (
            <div key={field} className="px-3 py-2">
              <dt className="text-12 text-ink-2">{field}</dt>
              <dd className="mt-1 grid gap-1 font-mono text-12">
                {before !== undefined && (
                  <del className="rounded-xs bg-block-bg px-2 py-0.5 text-block no-underline wrap-anywhere">
                    <span aria-hidden>− </span>
                    <span className="sr-only">Before: </span>
                    {before}
                  </del>
                )}
                {after !== undefined && (
                  <ins className="rounded-xs bg-pass-bg px-2 py-0.5 text-pass no-underline wrap-anywhere">
                    <span aria-hidden>+ </span>
                    <span className="sr-only">After: </span>
                    {after}
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
                <dt>{field}</dt>
                <dd className="font-mono wrap-anywhere">{after}</dd>
              </div>
            ))}
          </dl>
        </details>
      )}
    </div>
  )
}

/** One field of an event: its old and new value, undefined if absent. */
export type FieldDiff = { field: string; before: string | undefined; after: string | undefined }

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
export const isChanged = ({ before, after }: FieldDiff): boolean => before !== after

function fieldsOf(side: unknown): Map<string, string> {
  if (typeof side !== 'object' || side === null) return new Map()
  return new Map(Object.entries(side).map(([field, value]) => [field, textOf(value)]))
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
