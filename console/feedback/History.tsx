import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTenant } from '../frame/useTenant.ts'
import { trpc } from '../trpc.ts'
import { PageLink } from '../ui/form/Button.tsx'
import { DialogBody, Sheet } from '../ui/overlay/Dialog.tsx'
import { ErrorPanel } from '../ui/page/ErrorNotice.tsx'
import { Skeleton } from '../ui/page/Page.tsx'
import { Fact, Facts } from '../ui/table/Facts.tsx'
import { CopyText } from '../ui/text/Copy.tsx'
import { shortId } from '../ui/text/format.ts'
import { Outcome, Pill } from '../ui/text/Pill.tsx'
import { Time } from '../ui/text/Time.tsx'
import type { FeedbackHistory, Revision } from './api.ts'
import { BusinessType } from './BusinessType.tsx'
import { ReportButton } from './ReportButton.tsx'
import { OUTCOME_TONES, OUTCOMES } from './words.ts'

/** All revisions of a decision's feedback, in a drawer. `decision`: its intent's id. */
export function History({ decision, onClose }: { decision: string | undefined; onClose: () => void }) {
  const { slug } = useTenant()
  const loaded = useQuery(
    trpc.feedback.history.queryOptions({ tenant: slug, decision: decision ?? '' }, { enabled: decision !== undefined }),
  )
  return (
    <Sheet open={decision !== undefined} onClose={onClose} title="Feedback history">
      <DialogBody>
        {loaded.data && decision !== undefined ? (
          <Details id={decision} history={loaded.data} />
        ) : loaded.error ? (
          <ErrorPanel error={loaded.error} retrying={loaded.isFetching} onRetry={() => void loaded.refetch()} />
        ) : (
          <Skeleton width="long" />
        )}
      </DialogBody>
    </Sheet>
  )
}

function Details({ id, history }: { id: string; history: FeedbackHistory }) {
  const { slug } = useTenant()
  const [now] = useState(() => Date.now() / 1000)
  const { decisionId, site, action, redeemedAt, closesAt, revisions } = history
  const numbers = new Map(revisions.map(({ eventId, revision }) => [eventId, revision]))
  return (
    <>
      <Facts>
        <Fact name="Decision">
          <CopyText text={decisionId} shown={shortId(decisionId)} name="decision id" />
        </Fact>
        <Fact name="Site">{site.name ?? 'Deleted'}</Fact>
        <Fact name="Action">{action}</Fact>
        <Fact name="Completed">
          <Time at={redeemedAt} />
        </Fact>
        <Fact name={closesAt > now ? 'Corrections until' : 'Closed since'}>
          <Time at={closesAt} />
        </Fact>
      </Facts>
      <section aria-label="Revisions">
        <h3 className="mb-2 text-13 font-semibold">Revisions</h3>
        {revisions.length === 0 ? (
          <p className="text-13 text-ink-2">No feedback was reported.</p>
        ) : (
          <ol className="grid gap-3">
            {revisions.map((revision, index) => (
              <RevisionItem
                key={revision.eventId}
                revision={revision}
                supersedes={revision.supersedes === null ? undefined : numbers.get(revision.supersedes)}
                supersededBy={revisions[index - 1]?.revision}
              />
            ))}
          </ol>
        )}
      </section>
      <div className="flex flex-wrap gap-2">
        <ReportButton decision={{ id, redeemedAt, latest: revisions[0] }} />
        <PageLink to="/o/$tenant/decisions/$id" params={{ tenant: slug, id: decisionId }}>
          Open the decision
        </PageLink>
      </div>
    </>
  )
}

function RevisionItem({
  revision: { eventId, revision, outcome, businessType, occurredAt, receivedAt },
  supersedes,
  supersededBy,
}: {
  revision: Revision
  supersedes: number | undefined
  supersededBy: number | undefined
}) {
  return (
    <li
      aria-label={`Revision ${revision}`}
      className={`rounded-panel border border-line px-4 py-3 text-13 ${supersededBy === undefined ? '' : 'bg-sunken'}`}
    >
      <div className="flex flex-wrap items-center justify-between gap-2">
        <span className="font-medium">
          <Outcome is={OUTCOME_TONES[outcome]} word={OUTCOMES[outcome]} />
        </span>
        {supersededBy === undefined ? (
          <Pill tone="info">Latest</Pill>
        ) : (
          <span className="text-12 text-ink-2">Replaced by revision {supersededBy}</span>
        )}
      </div>
      <p className="mt-1 wrap-anywhere">
        <BusinessType is={businessType} />
      </p>
      <p className="mt-1 text-12 text-ink-2">
        Revision {revision}
        {supersedes !== undefined && `, replaces revision ${supersedes}`} · occurred <Time at={occurredAt} /> · received{' '}
        <Time at={receivedAt} />
      </p>
      <p className="mt-1 text-12 text-ink-2">
        Event <CopyText text={eventId} shown={shortId(eventId)} name={`event id of revision ${revision}`} />
      </p>
    </li>
  )
}
