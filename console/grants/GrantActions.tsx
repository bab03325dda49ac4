import { getRouteApi, Link } from '@tanstack/react-router'
import { MoreHorizontal } from 'lucide-react'
import { tailOf } from '../decisions/words.ts'
import { useTenant } from '../frame/useTenant.ts'
import { Button } from '../ui/form/Button.tsx'
import { IconButton } from '../ui/form/IconButton.tsx'
import { Menu, MenuItem, MenuLink, MenuSeparator } from '../ui/overlay/Menu.tsx'
import type { Grant } from './Grants.tsx'
import { useRevoke } from './useRevoke.ts'
import { shortSession } from './words.ts'

const route = getRouteApi('/o/$tenant/grants')

/** Actions for a grant, and for all grants of its session if it has one. */
export function GrantActions({ grant: { id, session, state, decisionId } }: { grant: Grant }) {
  const { slug, whyNot } = useTenant()
  const navigate = route.useNavigate()
  const { revoke, revokeSession, busy } = useRevoke()
  const reason = whyNot('grant.revoke')
  return (
    <span className="inline-flex items-center justify-end gap-1">
      {state === 'active' && (
        <Button
          size="small"
          busy={busy !== undefined}
          reason={reason}
          onClick={() => revoke(id)}
          aria-label={`Revoke ${tailOf(id)}`}
        >
          Revoke
        </Button>
      )}
      <Menu trigger={<IconButton icon={MoreHorizontal} label={`More for ${tailOf(id)}`} />}>
        {session !== null && (
          <MenuItem
            onClick={() => void navigate({ search: ({ period, from, to }) => ({ period, from, to, session }) })}
          >
            Show session {shortSession(session)}
          </MenuItem>
        )}
        <MenuLink render={<Link to="/o/$tenant/decisions/$id" params={{ tenant: slug, id: decisionId }} />}>
          Open the decision
        </MenuLink>
        {session !== null && (
          <>
            <MenuSeparator />
            <MenuItem danger reason={reason} onClick={() => revokeSession(session)}>
              Revoke all of session {shortSession(session)}
            </MenuItem>
          </>
        )}
      </Menu>
    </span>
  )
}
