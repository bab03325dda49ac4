import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { inferOutput } from '@trpc/tanstack-react-query'
import { useState } from 'react'
import { useSites } from '../decisions/useSites.ts'
import { tailOf } from '../decisions/words.ts'
import { useTenant } from '../frame/useTenant.ts'
import { trpc } from '../trpc.ts'
import { PeriodPicker } from '../ui/form/PeriodPicker.tsx'
import { useRange } from '../ui/form/period.ts'
import { Select } from '../ui/form/Select.tsx'
import { Page } from '../ui/page/Page.tsx'
import { type Column, DataTable } from '../ui/table/DataTable.tsx'
import { CopyText } from '../ui/text/Copy.tsx'
import { Link } from '../ui/text/Link.tsx'
import { Pill } from '../ui/text/Pill.tsx'
import { Time } from '../ui/text/Time.tsx'
import { GrantActions } from './GrantActions.tsx'
import { NoGrants } from './NoGrants.tsx'
import { SessionBar } from './SessionBar.tsx'
import { SessionBox } from './SessionBox.tsx'
import type { GrantSearch } from './search.ts'
import { STATE_TONES, STATES, shortSession } from './words.ts'

const route = getRouteApi('/o/$tenant/grants')

export type Grant = inferOutput<typeof trpc.grants.list>['rows'][number]

const columns: readonly Column<Grant>[] = [
  { header: 'Grant', cell: ({ id }) => <GrantId id={id} /> },
  { header: 'State', cell: ({ state }) => <Pill tone={STATE_TONES[state]}>{STATES[state]}</Pill> },
  { header: 'Site', cell: ({ site }) => site.name ?? <span className="text-ink-2">Deleted</span> },
  {
    header: 'Session',
    cell: ({ session }) =>
      session === null ? <span className="whitespace-nowrap text-ink-2">None</span> : <SessionLink session={session} />,
  },
  {
    header: 'Uses',
    align: 'right',
    cell: ({ used, uses }) => (
      <span className="whitespace-nowrap">
        {used} of {uses}
      </span>
    ),
  },
  {
    header: 'From',
    from: 'xl',
    cell: ({ decisionId, renewed }) => (
      <>
        {renewed ? 'Renewal' : 'Challenge'} <DecisionLink id={decisionId} />
      </>
    ),
  },
  { header: 'Created', from: 'xl', cell: ({ createdAt }) => <Time at={createdAt} as="relative" /> },
  { header: 'Expires', cell: ({ expiresAt }) => <Time at={expiresAt} as="relative" /> },
  { header: 'Renewable until', from: 'xl', cell: ({ renewableUntil }) => <Renewable until={renewableUntil} /> },
  { header: 'Actions', hidden: true, align: 'right', cell: (grant) => <GrantActions grant={grant} /> },
]

/** The list of grants, with filters and buttons that revoke them. */
export function Grants() {
  const { slug, name } = useTenant()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const range = useRange(search)
  const sites = useSites()
  const { state, site, session } = search
  const list = useInfiniteQuery(
    trpc.grants.list.infiniteQueryOptions(
      { tenant: slug, ...range, ...(state && { state }), ...(site && { site }), ...(session && { session }) },
      { getNextPageParam: ({ nextCursor }) => nextCursor },
    ),
  )
  const ask = (part: GrantSearch) => void navigate({ search: (now) => ({ ...now, ...part }), resetScroll: false })

  return (
    <Page
      title="Grants"
      context={name}
      description="A grant lets a visitor who has just passed skip further challenges. It is bound to a session if your backend sent one."
    >
      <div className="flex flex-wrap items-start gap-2">
        <PeriodPicker search={search} onChange={ask} />
        <Select
          label="State"
          value={state ?? 'any'}
          onChange={(chosen) => ask({ state: chosen === 'any' ? undefined : chosen })}
          options={{ any: 'Any state', ...STATES }}
        />
        <Select
          label="Site"
          value={site ?? ''}
          onChange={(chosen) => ask({ site: chosen === '' ? undefined : chosen })}
          options={{ '': 'All sites', ...(site && { [site]: 'One site' }), ...sites }}
        />
        <SessionBox key={session} session={session} onAsk={(session) => ask({ session })} />
      </div>
      {session !== undefined && <SessionBar session={session} rows={list.data?.pages.flatMap(({ rows }) => rows)} />}
      <DataTable
        label="Grants"
        list={list}
        columns={columns}
        rowKey={({ id }) => id}
        empty={
          <NoGrants
            narrowed={state !== undefined || site !== undefined || session !== undefined}
            further={
              list.hasNextPage ? { busy: list.isFetchingNextPage, go: () => void list.fetchNextPage() } : undefined
            }
            onClear={() => void navigate({ search: ({ period, from, to }) => ({ period, from, to }) })}
          />
        }
      />
    </Page>
  )
}

function GrantId({ id }: { id: string }) {
  return (
    <span className="whitespace-nowrap">
      <CopyText text={id} shown={tailOf(id)} name={`grant id ${tailOf(id)}`} />
    </span>
  )
}

/** `until`: Unix seconds; null if the grant cannot be renewed. */
function Renewable({ until }: { until: number | null }) {
  const [now] = useState(() => Date.now() / 1000)
  if (until === null) return <span className="text-ink-2">Never</span>
  if (until <= now) return <span className="text-ink-2">Ended</span>
  return <Time at={until} as="relative" />
}

function SessionLink({ session }: { session: string }) {
  return (
    <Link
      from="/o/$tenant/grants"
      search={({ period, from, to }) => ({ period, from, to, session })}
      resetScroll={false}
    >
      <span className="font-mono text-12 whitespace-nowrap">{shortSession(session)}</span>
    </Link>
  )
}

function DecisionLink({ id }: { id: string }) {
  const { slug } = useTenant()
  return (
    <Link to="/o/$tenant/decisions/$id" params={{ tenant: slug, id }}>
      <span className="font-mono text-12 whitespace-nowrap">
        <span className="sr-only">Decision </span>
        {tailOf(id)}
      </span>
    </Link>
  )
}
