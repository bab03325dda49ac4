const DOTS = { pass: 'bg-pass', challenge: 'bg-challenge', block: 'bg-block' } as const

/** An outcome: always a dot and a word, never colour alone. */
export function Outcome({ is, word }: { is: keyof typeof DOTS; word: string }) {
  return (
    <span className="inline-flex items-baseline gap-2">
      <span aria-hidden className={`size-2 shrink-0 -translate-y-px self-center rounded-full ${DOTS[is]}`} />
      {word}
    </span>
  )
}
