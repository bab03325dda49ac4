import { Diff } from '../audit/Diff.tsx'
import { Section } from '../ui/page/Page.tsx'
import { Time } from '../ui/text/Time.tsx'
import { StaffActor } from './StaffActor.tsx'
import type { StaffTrace } from './Trace.tsx'

/** What somebody changed about the site or the tenant in the week before: often why it went as it did. */
export function Changes({ audit }: { audit: StaffTrace['audit'] }) {
  return (
    <Section
      title="Changes around that time"
      description="To the site and the tenant, from a week before to an hour after."
    >
      {audit.length === 0 ? (
        <p className="text-13 text-ink-2">No changes.</p>
      ) : (
        <ul className="divide-y divide-line overflow-hidden rounded-panel border border-line bg-surface">
          {audit.map(({ id, action, actor, createdAt, before, after }) => (
            <li key={id}>
              <details className="group">
                <summary className="flex cursor-pointer flex-wrap items-center justify-between gap-x-4 gap-y-1 px-4 py-2 text-13 -outline-offset-2">
                  <span className="font-mono text-12">{action}</span>
                  <span className="flex flex-wrap items-center gap-x-4 text-ink-2">
                    <StaffActor actor={actor} />
                    <Time at={createdAt} />
                  </span>
                </summary>
                <div className="px-4 pb-3">
                  <Diff before={before} after={after} />
                </div>
              </details>
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}
