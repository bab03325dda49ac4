import { Search, X } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../ui/form/Button.tsx'
import { INPUT } from '../ui/form/Field.tsx'
import { IconButton } from '../ui/form/IconButton.tsx'

/** Searches for a session by its first or all digits, as in the URL. Enter submits it. */
export function SessionBox({
  session,
  onAsk,
}: {
  session: string | undefined
  onAsk: (session: string | undefined) => void
}) {
  const [error, setError] = useState(false)
  return (
    <form
      className="w-full sm:w-auto"
      onSubmit={(event) => {
        event.preventDefault()
        const typed = new FormData(event.currentTarget).get('session')
        const digits = typeof typed === 'string' ? typed.trim().toLowerCase() : ''
        const fits = digits === '' || /^[0-9a-f]{8,64}$/.test(digits)
        setError(!fits)
        if (fits) onAsk(digits === '' ? undefined : digits)
      }}
    >
      <div className="flex items-center gap-2">
        <div className="relative w-full sm:w-56">
          <Search size={14} aria-hidden className="pointer-events-none absolute top-2 left-2.5 text-ink-2" />
          <input
            name="session"
            type="text"
            aria-label="Session"
            aria-invalid={error || undefined}
            aria-describedby={error ? 'session-error' : undefined}
            defaultValue={session}
            placeholder="Session (8+ hex digits)"
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            className={`${INPUT} h-8! px-8! font-mono text-12!`}
          />
          {session !== undefined && (
            <span className="absolute top-0 right-0">
              <IconButton icon={X} label="Show all sessions" onClick={() => onAsk(undefined)} />
            </span>
          )}
        </div>
        <Button type="submit">Find</Button>
      </div>
      {error && (
        <p id="session-error" role="alert" className="mt-1 text-12 font-medium text-block">
          Enter at least the first 8 digits (0–9, a–f) of a session.
        </p>
      )}
    </form>
  )
}
