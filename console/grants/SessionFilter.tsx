import { Search, X } from 'lucide-react'
import { useState } from 'react'
import { useTenant } from '../frame/useTenant.ts'
import { Button } from '../ui/form/Button.tsx'
import { INPUT } from '../ui/form/Field.tsx'
import { IconButton } from '../ui/form/IconButton.tsx'
import { Copy } from '../ui/text/Copy.tsx'
import { type Grant, useRevoke } from './api.ts'
import { shortSession } from './words.ts'

/** A search field for a session by its first digits or all of them. */
export function SessionSearch({
  session,
  onChange,
}: {
  session: string | undefined
  onChange: (session: string | undefined) => void
}) {
  const [error, setError] = useState(false)
  return (
    <form
      className="w-full sm:w-auto"
      onSubmit={(event) => {
        event.preventDefault()
        const typed = new FormData(event.currentTarget).get('session')
        const digits = typeof typed === 'string' ? typed.trim().toLowerCase() : ''
        const valid = digits === '' || /^[0-9a-f]{8,64}$/.test(digits)
        setError(!valid)
        if (valid) onChange(digits === '' ? undefined : digits)
      }}
    >
      <div className="flex items-center gap-2">
        <div className="relative w-full sm:w-64">
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
              <IconButton icon={X} label="Show all sessions" onClick={() => onChange(undefined)} />
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

/** The session that the search found, with a button that revokes all its grants. */
export function FoundSession({ session, rows }: { session: string; rows: Grant[] | undefined }) {
  const { whyNot } = useTenant()
  const { revokeAllOf, busy } = useRevoke()
  // the filter finds only grants with a session
  const found = [...new Set(rows?.flatMap((row) => row.session ?? []))]
  const [whole] = found
  if (whole === undefined) return null
  if (found.length > 1)
    return (
      <p className="text-13 text-ink-2">
        {found.length} sessions begin with <code className="font-mono text-12">{session}</code>: enter more digits, or
        choose one below.
      </p>
    )
  const active = rows?.some(({ state }) => state === 'active')
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 rounded-panel border border-line bg-surface px-4 py-3">
      <div className="min-w-0 text-13">
        Session{' '}
        <code aria-hidden className="font-mono text-12 wrap-anywhere">
          {whole}
        </code>
        <span className="sr-only">{shortSession(whole)}</span> <Copy text={whole} name="session" bare />
      </div>
      <Button
        look="danger"
        busy={busy}
        reason={whyNot('grant.revoke') ?? (active ? undefined : 'None of the grants shown is active.')}
        onClick={() => revokeAllOf(whole)}
      >
        Revoke all of this session
      </Button>
    </div>
  )
}
