export type Tone = 'pass' | 'challenge' | 'block' | 'info' | 'neutral'

const TONES = {
  pass: { pill: 'bg-pass-bg text-pass', dot: 'bg-pass' },
  challenge: { pill: 'bg-challenge-bg text-challenge', dot: 'bg-challenge' },
  block: { pill: 'bg-block-bg text-block', dot: 'bg-block' },
  info: { pill: 'bg-info-bg text-info', dot: 'bg-info' },
  neutral: { pill: 'bg-sunken text-ink-2', dot: 'bg-ink-3' },
} satisfies Record<Tone, { pill: string; dot: string }>

/** A state: a dot and a word, never colour alone. */
export function Pill({ tone, children }: { tone: Tone; children: string }) {
  return (
    <span
      className={`inline-flex h-5 items-center gap-1.5 rounded-full px-2 text-12 font-medium whitespace-nowrap ${TONES[tone].pill}`}
    >
      <span aria-hidden className={`size-1.5 shrink-0 rounded-full ${TONES[tone].dot}`} />
      {children}
    </span>
  )
}

const DOTS = { pass: 'bg-pass', challenge: 'bg-challenge', block: 'bg-block', neutral: 'bg-ink-3' } as const

/** An outcome: a dot and a word, never colour alone. */
export function Outcome({ is, word }: { is: keyof typeof DOTS; word: string }) {
  return (
    <span className="inline-flex items-baseline gap-2">
      <span aria-hidden className={`size-2 shrink-0 -translate-y-px self-center rounded-full ${DOTS[is]}`} />
      {word}
    </span>
  )
}
