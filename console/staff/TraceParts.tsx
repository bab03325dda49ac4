import { ActorName } from '../audit/ActorName.tsx'
import { Diff } from '../audit/Diff.tsx'
import { ACTION_LABELS } from '../audit/words.ts'
import { Section } from '../ui/page/Page.tsx'
import { Copy } from '../ui/text/Copy.tsx'
import { Time } from '../ui/text/Time.tsx'
import type { StaffTrace } from './api.ts'

/** The changes of the site and the tenant before that time, which often explain the result. */
export function Changes({ audit }: { audit: StaffTrace['audit'] }) {
  return (
    <Section title="Changes in the week before" description="To the site and the tenant.">
      {audit.length === 0 ? (
        <p className="text-13 text-ink-2">No changes.</p>
      ) : (
        <ul className="divide-y divide-line overflow-hidden rounded-panel border border-line bg-surface">
          {audit.map(({ id, action, actor, createdAt, before, after }) => (
            <li key={id}>
              <details className="group">
                <summary className="flex cursor-pointer flex-wrap items-center justify-between gap-x-4 gap-y-1 px-4 py-2 text-13 -outline-offset-2">
                  <span>{ACTION_LABELS[action] ?? action}</span>
                  <span className="flex flex-wrap items-center gap-x-4 text-ink-2">
                    <ActorName actor={actor} />
                    <Time at={createdAt} />
                  </span>
                </summary>
                <div className="px-4 pb-3">
                  <Diff action={action} before={before} after={after} />
                </div>
              </details>
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}

/** The database rows as stored. */
export function RawFields({ raw }: { raw: StaffTrace['raw'] }) {
  return (
    <Section title="Raw fields" description="As stored; sessions, subjects, tokens, keys and networks are hashes.">
      <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
        {raw.map(({ table, fields }) => (
          <details key={`${table} ${JSON.stringify(fields)}`} className="rounded-panel border border-line bg-surface">
            <summary className="cursor-pointer px-4 py-2 font-mono text-12">{table}</summary>
            <div className="flex justify-end border-t border-line px-2 pt-2">
              <Copy text={JSON.stringify(fields, null, 2)} name={`${table} as JSON`} />
            </div>
            <dl className="grid gap-x-6 gap-y-1 px-4 pb-3 text-12 sm:grid-cols-[10rem_minmax(0,1fr)]">
              {Object.entries(fields).map(([name, value]) => (
                <div key={name} className="contents">
                  <dt className="text-ink-2">{name}</dt>
                  <dd className="font-mono wrap-anywhere">
                    {value === null ? '–' : typeof value === 'string' ? value : JSON.stringify(value)}
                  </dd>
                </div>
              ))}
            </dl>
          </details>
        ))}
      </div>
    </Section>
  )
}
