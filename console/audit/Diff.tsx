import { diff, isChanged } from './diff.ts'

/** Field by field what was and what is: with signs and words, not by colour alone. */
export function Diff({ before, after }: { before: unknown; after: unknown }) {
  const lines = diff(before, after)
  if (lines.length === 0) return <p className="text-13 text-ink-2">The action says it all.</p>
  return (
    <dl className="divide-y divide-line overflow-hidden rounded-panel border border-line text-13">
      {lines.map((line) => (
        <div key={line.field} className="px-3 py-2">
          <dt className="text-12 text-ink-2">{line.field}</dt>
          <dd className="mt-1 grid gap-1 font-mono text-12">
            {isChanged(line) ? (
              <>
                {line.before !== undefined && (
                  <del className="rounded-xs bg-block-bg px-2 py-0.5 text-block no-underline wrap-anywhere">
                    <span aria-hidden>− </span>
                    <span className="sr-only">Before: </span>
                    {line.before}
                  </del>
                )}
                {line.after !== undefined && (
                  <ins className="rounded-xs bg-pass-bg px-2 py-0.5 text-pass no-underline wrap-anywhere">
                    <span aria-hidden>+ </span>
                    <span className="sr-only">After: </span>
                    {line.after}
                  </ins>
                )}
              </>
            ) : (
              <span className="px-2 py-0.5 wrap-anywhere text-ink-2">{line.after} (unchanged)</span>
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}
