import { Check, Copy as CopyIcon } from 'lucide-react'
import { useEffect, useState } from 'react'

/** How long the answer stays on the button. */
const SHOWN_MS = 2000

const WORDS = { ready: 'Copy', copied: 'Copied', refused: 'Select by hand' } as const

/** Copies `text`; `name` says what it is, for those who hear the button: "Copy site key". */
export function Copy({ text, name }: { text: string; name: string }) {
  const [state, setState] = useState<keyof typeof WORDS>('ready')

  useEffect(() => {
    if (state === 'ready') return undefined
    const timer = setTimeout(() => setState('ready'), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [state])

  const copy = async () => {
    try {
      // Absent on plain http from another machine, where browsers give no clipboard.
      await navigator.clipboard.writeText(text)
      setState('copied')
    } catch {
      setState('refused')
    }
  }

  return (
    <>
      <button
        type="button"
        onClick={() => void copy()}
        className="-my-1 inline-flex h-7 items-center gap-1.5 rounded-control px-2 text-12 font-medium text-ink-2 transition-colors hover:bg-line hover:text-ink"
      >
        {state === 'copied' ? <Check size={14} aria-hidden /> : <CopyIcon size={14} aria-hidden />}
        {WORDS[state]}
        <span className="sr-only"> {name}</span>
      </button>
      <output className="sr-only">{state !== 'ready' && WORDS[state]}</output>
    </>
  )
}
