import { type ReactNode, useState } from 'react'
import { OUTCOME_TONES, OUTCOMES } from '../feedback/words.ts'
import { CopyText } from '../ui/text/Copy.tsx'
import { Outcome } from '../ui/text/Pill.tsx'
import { Sentence } from '../ui/text/Snippet.tsx'
import { Time } from '../ui/text/Time.tsx'
import type { Trace } from './api.ts'
import { eventsOf, gap, type TimelineEvent } from './events.ts'

const DOTS = { plain: 'bg-line-strong', pass: 'bg-pass', block: 'bg-block' } as const

/** Events in order, with the time between them. */
export function Timeline({ trace }: { trace: Trace }) {
  const events = eventsOf(trace)
  return (
    <ol aria-label="Timeline" className="relative">
      {events.map((event, index) => (
        <Step key={event.key} event={event} before={events[index - 1]} last={index === events.length - 1} />
      ))}
      {trace.decision === null && <WithoutDecision trace={trace} />}
    </ol>
  )
}

function Step({ event, before, last }: { event: TimelineEvent; before: TimelineEvent | undefined; last: boolean }) {
  const { title, at, tone, facts, outcome, raises, replaces, ids = {} } = event
  const [now] = useState(() => Date.now() / 1000)
  return (
    <li className="relative pb-5 pl-6 last:pb-0">
      {!last && <span aria-hidden className="absolute top-3 bottom-[-0.5rem] left-[0.3125rem] w-px bg-line" />}
      <span
        aria-hidden
        className={`absolute top-1.5 left-0 size-2.75 rounded-full border-2 border-surface ${DOTS[tone]}`}
      />
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h3 className="text-13 font-semibold">{title}</h3>
        <p className="text-12 text-ink-2">
          <Time at={at} as="second" />
          {before && <span className="text-ink-3"> · {gap(before.at, at)}</span>}
        </p>
      </div>
      {outcome !== undefined && (
        <p className="mt-0.5 text-13">
          <Outcome is={OUTCOME_TONES[outcome]} word={OUTCOMES[outcome]} />
        </p>
      )}
      {facts.map((fact) => (
        <p key={fact} className="mt-0.5 text-13 wrap-anywhere text-ink-2">
          <Sentence text={fact} />
        </p>
      ))}
      {replaces !== undefined && (
        <p className="mt-0.5 text-13 text-ink-2">
          Replaces the report of <Time at={replaces} as="second" />.
        </p>
      )}
      {raises && (
        <p className="mt-0.5 text-13 text-ink-2">
          {raises.until > now ? 'Raises' : 'Raised'} the difficulty for this {raises.what} until about{' '}
          <Time at={raises.until} />
          {raises.until > now && ', unless it is taken back'}.
        </p>
      )}
      {Object.entries(ids).map(([name, id]) => (
        <p key={name} className="mt-0.5 flex flex-wrap items-center gap-x-2 text-12 text-ink-2">
          {name} <CopyText text={id} name={`id: ${name}`} />
        </p>
      ))}
    </li>
  )
}

/** The last line of an intent without a decision. */
function WithoutDecision({ trace: { intent } }: { trace: Trace }): ReactNode {
  const [now] = useState(() => Date.now() / 1000)
  const expired = intent.expiresAt !== null && intent.expiresAt < now
  return (
    <li className="mt-5 rounded-control bg-sunken px-3 py-2 text-13 text-ink-2">
      {expired
        ? 'It expired without being redeemed, so whether its challenge was solved is not known.'
        : 'It has not been redeemed yet. Whether its challenge was solved is known once it is.'}
    </li>
  )
}
