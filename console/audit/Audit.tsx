import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { inferOutput } from '@trpc/tanstack-react-query'
import { useTenant } from '../frame/useTenant.ts'
import { trpc } from '../trpc.ts'
import { Button } from '../ui/form/Button.tsx'
import { Page } from '../ui/page/Page.tsx'
import { type Column, DataTable } from '../ui/table/DataTable.tsx'
import { EmptyState } from '../ui/table/EmptyState.tsx'
import { ExportLink } from '../ui/table/Export.tsx'
import { Link } from '../ui/text/Link.tsx'
import { Time } from '../ui/text/Time.tsx'
import { Actor } from './Actor.tsx'
import { Event } from './Event.tsx'
import { QueryBox } from './QueryBox.tsx'
import { type AuditQuery, parseQuery } from './query.ts'
import { targetOf } from './targetOf.ts'

const route = getRouteApi('/o/$tenant/audit')

const listOptions = (tenant: string, query: AuditQuery) =>
  trpc.audit.list.infiniteQueryOptions({ tenant, ...query }, { getNextPageParam: ({ nextCursor }) => nextCursor })

export type AuditRow = inferOutput<typeof trpc.audit.list>['rows'][number]

const columns: readonly Column<AuditRow>[] = [
  { header: 'Action', cell: ({ id, action }) => <EventLink id={id} action={action} /> },
  { header: 'Target', width: 'wide', cell: (row) => <Target row={row} /> },
  { header: 'Actor', cell: ({ actor }) => <Actor actor={actor} /> },
  { header: 'When', align: 'right', cell: ({ createdAt }) => <Time at={createdAt} as="relative" /> },
]

/** The tenant's audit log: filters, list and one event in a drawer. */
export function Audit() {
  const { slug, name } = useTenant()
  const { q = '', event } = route.useSearch()
  const navigate = route.useNavigate()
  const query = parseQuery(q)
  const list = useInfiniteQuery(listOptions(slug, query))
  const rows = list.data?.pages.flatMap((page) => page.rows)
  const ask = (q: string) => void navigate({ search: q === '' ? {} : { q } })

  return (
    <Page
      title="Audit log"
      context={name}
      description="A complete log of changes. Entries can’t be edited or deleted."
      actions={
        <ExportLink
          name="audit"
          query={{ tenant: slug, ...query }}
          reason={rows?.length === 0 ? 'Nothing to export.' : undefined}
        />
      }
    >
      <QueryBox key={q} q={q} onAsk={ask} />
      <DataTable
        label="Audit log"
        list={list}
        columns={columns}
        rowKey={({ id }) => id}
        empty={
          q === '' ? (
            <EmptyState title="No changes yet">
              When someone invites a member, creates a site or rotates a key, the change is listed here with its author.
            </EmptyState>
          ) : (
            <EmptyState title="No matching events" action={<Button onClick={() => ask('')}>Show all</Button>}>
              Events must match every filter. Parts of words are enough.
            </EmptyState>
          )
        }
      />
      <Event
        id={event}
        known={rows?.find(({ id }) => id === event)}
        onAsk={ask}
        onClose={() => void navigate({ search: ({ q }) => (q === undefined ? {} : { q }) })}
      />
    </Page>
  )
}

function Target({ row }: { row: AuditRow }) {
  const { name, part } = targetOf(row)
  return (
    <>
      {name}
      {part !== undefined && <span className="text-ink-2"> · {part}</span>}
    </>
  )
}

function EventLink({ id, action }: { id: string; action: string }) {
  return (
    <Link from="/o/$tenant/audit" search={(search) => ({ ...search, event: id })} resetScroll={false}>
      <span className="font-mono text-12">{action}</span>
    </Link>
  )
}
