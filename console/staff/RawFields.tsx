import { Section } from '../ui/page/Page.tsx'
import { Copy } from '../ui/text/Copy.tsx'
import type { StaffTrace } from './Trace.tsx'

/** The rows as they are stored, for whoever wants to know exactly. */
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
