import { Button } from '../ui/form/Button.tsx'
import { DialogBody, Sheet } from '../ui/overlay/Dialog.tsx'
import { ErrorPanel } from '../ui/page/ErrorNotice.tsx'
import { Skeleton } from '../ui/page/Page.tsx'
import { CopyText } from '../ui/text/Copy.tsx'
import { Pill } from '../ui/text/Pill.tsx'
import { Time } from '../ui/text/Time.tsx'
import { type AuditRow, useAuditEvent } from './api.ts'
import { Diff } from './Diff.tsx'
import { formatTerm } from './query.ts'
import { ACTION_LABELS } from './words.ts'

/** One event in a drawer. `loaded`: its row, if it is in the list. */
export function EventSheet({
  id,
  loaded,
  onSearch,
  onClose,
}: {
  id: string | undefined
  loaded: AuditRow | undefined
  onSearch: (q: string) => void
  onClose: () => void
}) {
  const fetched = useAuditEvent(loaded ? undefined : id)
  const event = loaded ?? fetched.data
  return (
    <Sheet
      open={id !== undefined}
      onClose={onClose}
      title={event ? (ACTION_LABELS[event.action] ?? event.action) : 'Event'}
    >
      <DialogBody>
        {event ? (
          <Details event={event} onSearch={onSearch} />
        ) : fetched.error ? (
          <ErrorPanel error={fetched.error} retrying={fetched.isFetching} onRetry={() => void fetched.refetch()} />
        ) : (
          <Skeleton width="long" />
        )}
      </DialogBody>
    </Sheet>
  )
}

function Details({ event, onSearch }: { event: AuditRow; onSearch: (q: string) => void }) {
  const { id, actor, action, target, targetName, before, after, createdAt } = event
  return (
    <>
      <dl className="grid grid-cols-[5rem_minmax(0,1fr)] gap-y-2 text-13 [&_dt]:text-ink-2">
        <dt>Action</dt>
        <dd className="font-mono text-12">{action}</dd>
        <dt>When</dt>
        <dd>
          <Time at={createdAt} />
          <span className="text-ink-2">
            {' · '}
            <Time at={createdAt} as="relative" />
          </span>
        </dd>
        <dt>Actor</dt>
        <dd className="wrap-anywhere">
          <ActorName actor={actor} />
          {actor.email !== null && <span className="block text-12 text-ink-2">{actor.email}</span>}
        </dd>
        <dt>Target</dt>
        <dd>
          {targetName !== null && <span className="block wrap-anywhere">{targetName}</span>}
          <CopyText text={target} name="target" />
        </dd>
        <dt>Event</dt>
        <dd>
          <CopyText text={id} name="event id" />
        </dd>
      </dl>
      <section aria-label="What changed">
        <h3 className="mb-2 text-13 font-semibold">What changed</h3>
        <Diff before={before} after={after} />
      </section>
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => onSearch(formatTerm('action', action))}>Filter by this action</Button>
        {actor.email !== null && (
          <Button onClick={() => onSearch(formatTerm('actor', actor.email ?? ''))}>Filter by this person</Button>
        )}
        <Button onClick={() => onSearch(formatTerm('target', target))}>Filter by this target</Button>
      </div>
    </>
  )
}

const ACTOR_KINDS = { staff: 'Support', operator: 'Operator' } satisfies Record<
  Exclude<AuditRow['actor']['kind'], 'member'>,
  string
>

/** The actor's name, with a label if it was not a member of the tenant. */
export function ActorName({ actor: { kind, name } }: { actor: AuditRow['actor'] }) {
  if (kind === 'member') return name
  return (
    <span className="inline-flex flex-wrap items-center gap-2">
      {name} <Pill tone="info">{ACTOR_KINDS[kind]}</Pill>
    </span>
  )
}
