import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { MoreHorizontal } from 'lucide-react'
import { DocsLink } from '../frame/DocsLink.tsx'
import { useSiteNames, useTenant } from '../frame/useTenant.ts'
import type { GrantSearch } from '../routes/search.ts'
import { PAGED, trpc } from '../trpc.ts'
import { Button } from '../ui/form/Button.tsx'
import { IconButton } from '../ui/form/IconButton.tsx'
import { PeriodPicker } from '../ui/form/PeriodPicker.tsx'
import { useRange } from '../ui/form/period.ts'
import { Select } from '../ui/form/Select.tsx'
import { Menu, MenuItem, MenuSeparator } from '../ui/overlay/Menu.tsx'
import { toast } from '../ui/overlay/toast.ts'
import { Page } from '../ui/page/Page.tsx'
import { EmptyState, NoMatches } from '../ui/table/EmptyState.tsx'
import { type Column, column, Table, timeColumn } from '../ui/table/Table.tsx'
import { shortId } from '../ui/text/format.ts'
import { Link } from '../ui/text/Link.tsx'
import { Pill } from '../ui/text/Pill.tsx'
import { Code, Snippet } from '../ui/text/Snippet.tsx'
import { type Grant, useRevoke } from './api.ts'
import { FoundSession, SessionSearch } from './SessionFilter.tsx'
import { STATE_TONES, STATES, shortSession } from './words.ts'

const route = getRouteApi('/o/$tenant/grants')

const columns: readonly Column<Grant>[] = [
  column('Grant', (grant) => <GrantLink {...grant} />),
  column('State', ({ state }) => <Pill tone={STATE_TONES[state]}>{STATES[state]}</Pill>),
  column('Site', ({ site }) => <span className="line-clamp-1">{site.name ?? 'Deleted'}</span>, { width: 'wide' }),
  column('Session', ({ session }) => (
    <span className="font-mono text-12">{session ? shortSession(session) : 'none'}</span>
  )),
  column('Uses', ({ used, uses }) => <span className="whitespace-nowrap">{`${used} of ${uses}`}</span>, {
    align: 'right',
    from: '2xl',
  }),
  timeColumn('Issued', ({ createdAt }) => createdAt),
  timeColumn('Expires', ({ expiresAt }) => expiresAt, { from: 'xl' }),
  column('Actions', (grant) => <GrantActions grant={grant} />, { hidden: true, align: 'right' }),
]

/** The list of grants, with filters and buttons that revoke them. */
export function Grants() {
  const { slug, name } = useTenant()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const range = useRange(search)
  const sites = useSiteNames()
  const { site, session } = search
  const shown = search.state ?? (session === undefined ? 'active' : 'any')
  const list = useInfiniteQuery(
    trpc.grants.list.infiniteQueryOptions(
      {
        tenant: slug,
        ...range,
        ...(shown !== 'any' && { state: shown }),
        ...(site && { site }),
        ...(session && { session }),
      },
      PAGED,
    ),
  )
  const filtered = (search.state ?? 'any') !== 'any' || site !== undefined || session !== undefined
  const setSearch = (part: GrantSearch) => void navigate({ search: (now) => ({ ...now, ...part }), resetScroll: false })

  return (
    <Page
      title="Grants"
      context={name}
      description="A grant lets a visitor who has just passed skip further challenges. It is bound to a session if your backend sent one."
    >
      <div className="flex flex-wrap items-start gap-2">
        <PeriodPicker search={search} onChange={setSearch} />
        <Select
          label="State"
          value={shown}
          onChange={(chosen) => setSearch({ state: chosen })}
          options={{ ...STATES, any: 'Any state' }}
        />
        <Select
          label="Site"
          value={site ?? ''}
          onChange={(chosen) => setSearch({ site: chosen === '' ? undefined : chosen })}
          options={{ '': 'All sites', ...(site && { [site]: 'One site' }), ...sites }}
        />
        <SessionSearch
          key={session}
          session={session}
          onChange={(session) => setSearch({ session, state: undefined })}
        />
      </div>
      {session !== undefined && <FoundSession session={session} rows={list.data?.pages.flatMap(({ rows }) => rows)} />}
      <Table
        label="Grants"
        list={list}
        columns={columns}
        rowKey={({ id }) => id}
        empty={
          list.hasNextPage || filtered ? (
            <NoMatches
              noun="grant"
              searchOn={
                list.hasNextPage ? { busy: list.isFetchingNextPage, start: () => void list.fetchNextPage() } : undefined
              }
              onClear={() => void navigate({ search: ({ period, from, to }) => ({ period, from, to, state: 'any' }) })}
            />
          ) : (
            <NoGrants {...(shown === 'active' && { onShowEnded: () => setSearch({ state: 'any' }) })} />
          )
        }
      />
    </Page>
  )
}

/** A link to the decision for which the grant was issued, or renewed. */
function GrantLink({ id, decisionId, renewed }: Grant) {
  const { slug } = useTenant()
  return (
    <Link to="/o/$tenant/decisions/$id" params={{ tenant: slug, id: decisionId }}>
      <span className="font-mono text-12 whitespace-nowrap">
        <span className="sr-only">Grant </span>
        {shortId(id)}
      </span>
      {renewed && <span className="text-12 text-ink-2"> renewal</span>}
    </Link>
  )
}

/** Actions for a grant, and for all grants of its session if it has one. */
function GrantActions({ grant: { id, session, state } }: { grant: Grant }) {
  const { whyNot } = useTenant()
  const navigate = route.useNavigate()
  const { revoke, revokeAllOf, busy } = useRevoke()
  const reason = whyNot('grant.revoke')
  return (
    <span className="inline-flex items-center justify-end gap-1">
      {state === 'active' && (
        <Button
          size="small"
          busy={busy}
          reason={reason}
          onClick={() => revoke(id)}
          aria-label={`Revoke ${shortId(id)}`}
        >
          Revoke
        </Button>
      )}
      <Menu trigger={<IconButton icon={MoreHorizontal} label={`More for ${shortId(id)}`} />}>
        {session !== null && (
          <MenuItem
            onClick={() => void navigate({ search: ({ period, from, to }) => ({ period, from, to, session }) })}
          >
            Show session {shortSession(session)}
          </MenuItem>
        )}
        <MenuItem onClick={() => void navigator.clipboard.writeText(id).then(() => toast('Grant id copied'))}>
          Copy the grant’s id
        </MenuItem>
        {session !== null && (
          <>
            <MenuSeparator />
            <MenuItem danger reason={reason} onClick={() => revokeAllOf(session)}>
              Revoke all of session {shortSession(session)}
            </MenuItem>
          </>
        )}
      </Menu>
    </span>
  )
}

const SNIPPET = `POST /grants
{"decision_id": "dec_…", "ttl": 900, "uses": 1}`

/** `onShowEnded`: if only active grants were looked for. */
function NoGrants({ onShowEnded }: { onShowEnded?: () => void }) {
  return (
    <EmptyState
      title={onShowEnded ? 'No active grants from this period' : 'No grants in this period'}
      action={onShowEnded && <Button onClick={onShowEnded}>Show ended grants</Button>}
      snippet={<Snippet name="Create a grant" text={SNIPPET} />}
    >
      A visitor who has just passed can skip further challenges: your backend creates a grant after{' '}
      <Code>/siteverify</Code>, and sends it as <Code>trusted_grant_id</Code> when it opens the next intent.{' '}
      <DocsLink page="grants">How grants work</DocsLink>
    </EmptyState>
  )
}
