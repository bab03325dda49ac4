import { useQuery } from '@tanstack/react-query'
import { useTenant } from '../frame/useTenant.ts'
import { trpc } from '../trpc.ts'
import { Button } from '../ui/form/Button.tsx'
import { DialogBody, Sheet } from '../ui/overlay/Dialog.tsx'
import { ErrorPanel } from '../ui/page/ErrorNotice.tsx'
import { Skeleton } from '../ui/page/Page.tsx'
import { CopyText } from '../ui/text/Copy.tsx'
import { Time } from '../ui/text/Time.tsx'
import { Actor } from './Actor.tsx'
import type { AuditRow } from './Audit.tsx'
import { Diff } from './Diff.tsx'
import { term } from './query.ts'

/** One event in a drawer. `known`: its row, if the list has already loaded it. */
export function Event({
  id,
  known,
  onAsk,
  onClose,
}: {
  id: string | undefined
  known: AuditRow | undefined
  onAsk: (q: string) => void
  onClose: () => void
}) {
  const { slug } = useTenant()
  const found = useQuery(
    trpc.audit.get.queryOptions(
      { tenant: slug, id: id ?? '' },
      { enabled: id !== undefined && known === undefined, staleTime: Number.POSITIVE_INFINITY },
    ),
  )
  const event = known ?? found.data
  return (
    <Sheet open={id !== undefined} onClose={onClose} title={event?.action ?? 'Event'}>
      <DialogBody>
        {event ? (
          <Details event={event} onAsk={onAsk} />
        ) : found.error ? (
          <ErrorPanel error={found.error} retrying={found.isFetching} onRetry={() => void found.refetch()} />
        ) : (
          <Skeleton width="long" />
        )}
      </DialogBody>
    </Sheet>
  )
}

function Details({ event, onAsk }: { event: AuditRow; onAsk: (q: string) => void }) {
  const { id, actor, action, target, targetName, before, after, createdAt } = event
  return (
    <>
      <dl className="grid grid-cols-[5rem_minmax(0,1fr)] gap-y-2 text-13 [&_dt]:text-ink-2">
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
          <Actor actor={actor} />
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
        <Button onClick={() => onAsk(term('action', action))}>Filter by this action</Button>
        {actor.email !== null && (
          <Button onClick={() => onAsk(term('actor', actor.email ?? ''))}>Filter by this person</Button>
        )}
        <Button onClick={() => onAsk(term('target', target))}>Filter by this target</Button>
      </div>
    </>
  )
}
