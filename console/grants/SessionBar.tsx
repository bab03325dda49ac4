import { useTenant } from '../frame/useTenant.ts'
import { Button } from '../ui/form/Button.tsx'
import { Copy } from '../ui/text/Copy.tsx'
import type { Grant } from './Grants.tsx'
import { useRevoke } from './useRevoke.ts'
import { shortSession } from './words.ts'

/** The session that the list is filtered by, with a button that revokes all its grants. */
export function SessionBar({ session, rows }: { session: string; rows: Grant[] | undefined }) {
  const { whyNot } = useTenant()
  const { revokeSession, busy } = useRevoke()
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
        busy={busy !== undefined}
        reason={whyNot('grant.revoke') ?? (active ? undefined : 'None of the grants shown is active.')}
        onClick={() => revokeSession(whole)}
      >
        Revoke all of this session
      </Button>
    </div>
  )
}
