import { Check } from 'lucide-react'
import type { ReactNode } from 'react'

export type StepState = 'done' | 'current' | 'later'

const WORDS = { done: 'Done', current: 'Now', later: 'Later' } satisfies Record<StepState, string>

const MARKS = {
  done: 'border-pass bg-pass-bg text-pass',
  current: 'border-brand text-brand-ink',
  later: 'border-line-strong text-ink-2',
} satisfies Record<StepState, string>

/** One step of a checklist: expanded while current, a summary once done. */
export function Step({
  number,
  id,
  title,
  state,
  done,
  stays = false,
  children,
}: {
  number: number
  id?: string
  title: string
  state: StepState
  /** Shown once the step is done. */
  done: ReactNode
  /** Whether it stays expanded once done. */
  stays?: boolean
  children: ReactNode
}) {
  return (
    <li
      id={id}
      className="rounded-panel border border-line bg-surface p-4"
      aria-current={state === 'current' ? 'step' : undefined}
    >
      <div className="flex items-start gap-3">
        <span
          aria-hidden
          className={`grid size-6 shrink-0 place-items-center rounded-full border text-12 font-semibold transition-colors ${MARKS[state]}`}
        >
          {state === 'done' ? <Check size={14} /> : number}
        </span>
        <div className="min-w-0 grow">
          <h2 tabIndex={-1} className={`text-14/6 font-semibold outline-none ${state === 'later' ? 'text-ink-2' : ''}`}>
            {title}
            <span className="sr-only">: {WORDS[state]}</span>
          </h2>
          {state === 'done' && <p className="mt-0.5 text-13 text-ink-2 wrap-anywhere">{done}</p>}
          {(state === 'current' || (stays && state === 'done')) && <div className="mt-3">{children}</div>}
        </div>
      </div>
    </li>
  )
}
