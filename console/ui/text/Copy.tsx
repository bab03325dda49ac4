import { Check, Copy as CopyIcon } from 'lucide-react'
import { useEffect, useState } from 'react'

/** How long the button shows the result. */
const SHOWN_MS = 2000

const WORDS = { ready: 'Copy', copied: 'Copied', refused: 'Copy manually' } as const

/** Copies `text`. `name` completes the accessible name: "Copy site key". `bare` shows only the icon. */
export function Copy({ text, name, bare = false }: { text: string; name: string; bare?: boolean }) {
  const [state, setState] = useState<keyof typeof WORDS>('ready')

  useEffect(() => {
    if (state === 'ready') return undefined
    const timer = setTimeout(() => setState('ready'), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [state])

  const copy = async () => {
    try {
      // missing without HTTPS, except on localhost
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
        className={`-my-1 inline-flex h-7 items-center gap-1.5 rounded-control text-12 font-medium text-ink-2 transition-colors hover:bg-line hover:text-ink ${bare ? 'min-w-7 justify-center' : 'px-2'}`}
      >
        {state === 'copied' ? <Check size={14} aria-hidden /> : <CopyIcon size={14} aria-hidden />}
        <span className={bare && state !== 'refused' ? 'sr-only' : ''}>{WORDS[state]}</span>
        <span className="sr-only"> {name}</span>
      </button>
      <output className="sr-only">{state !== 'ready' && WORDS[state]}</output>
    </>
  )
}

/** An id or key with a copy button. `shown` is a shorter form for display. */
export function CopyText({ text, name, shown = text }: { text: string; name: string; shown?: string }) {
  return (
    <span className="inline-flex max-w-full items-center gap-1 align-middle">
      <code className="min-w-0 font-mono text-12">{shown}</code>
      <Copy text={text} name={name} bare />
    </span>
  )
}
