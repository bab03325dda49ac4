import { compared, type Sense } from './words.ts'

const TONES = { better: 'text-pass', worse: 'text-block' } as const satisfies Record<Sense, string>

/** A change with what it is relative to, coloured if it is clearly better or worse. */
export function Change({
  sense,
  basis,
  children,
}: {
  sense: Sense | null
  basis: string | null
  /** The change: `+6.2%`. */
  children: string
}) {
  if (sense === null || basis === null) return compared(children, basis)
  return (
    <>
      <span className={TONES[sense]}>
        {children}
        <span className="sr-only">, {sense}</span>
      </span>{' '}
      {basis}
    </>
  )
}
