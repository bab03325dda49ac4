import type { ReactNode } from 'react'
import { DialogBody, Sheet } from '../ui/overlay/Dialog.tsx'
import { Fact, Facts } from '../ui/table/Facts.tsx'
import { CopyText } from '../ui/text/Copy.tsx'
import { Time } from '../ui/text/Time.tsx'
import { ActorName } from './ActorName.tsx'
import type { AuditRow } from './api.ts'
import { Diff } from './Diff.tsx'

type Event = Omit<AuditRow, 'targetName'> & { targetName?: string | null }

/** One event in a drawer. `missing`: shown while it is not known. `facts`: what only this log has of it. */
export function EventSheet({
  open,
  event,
  title,
  facts,
  missing,
  onClose,
  children,
}: {
  open: boolean
  event: Event | undefined
  title: string
  facts?: ReactNode
  missing: ReactNode
  onClose: () => void
  children?: ReactNode
}) {
  return (
    <Sheet open={open} onClose={onClose} title={title}>
      <DialogBody>
        {event ? (
          <>
            <Details event={event} facts={facts} />
            {children}
          </>
        ) : (
          missing
        )}
      </DialogBody>
    </Sheet>
  )
}

function Details({ event, facts }: { event: Event; facts: ReactNode }) {
  const { id, actor, action, target, targetName = null, before, after, createdAt } = event
  return (
    <>
      <Facts>
        <Fact name="Action">
          <span className="font-mono text-12">{action}</span>
        </Fact>
        <Fact name="When">
          <Time at={createdAt} />
          <span className="text-ink-2">
            {' · '}
            <Time at={createdAt} as="relative" />
          </span>
        </Fact>
        <Fact name="Actor">
          <ActorName actor={actor} />
          {actor.email !== null && <span className="block text-12 text-ink-2">{actor.email}</span>}
        </Fact>
        {facts}
        <Fact name="Target">
          {targetName !== null && <span className="block">{targetName}</span>}
          <CopyText text={target} name="target" />
        </Fact>
        <Fact name="Event">
          <CopyText text={id} name="event id" />
        </Fact>
      </Facts>
      <section aria-label="What changed">
        <h3 className="mb-2 text-13 font-semibold">What changed</h3>
        <Diff action={action} before={before} after={after} />
      </section>
    </>
  )
}
