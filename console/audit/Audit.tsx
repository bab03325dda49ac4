import { getRouteApi } from '@tanstack/react-router'
import { SearchIcon, X } from 'lucide-react'
import { useTenant } from '../frame/useTenant.ts'
import { Button } from '../ui/form/Button.tsx'
import { INPUT } from '../ui/form/Field.tsx'
import { IconButton } from '../ui/form/IconButton.tsx'
import { PeriodPicker } from '../ui/form/PeriodPicker.tsx'
import { isFixed, useRange } from '../ui/form/period.ts'
import { Select } from '../ui/form/Select.tsx'
import { ErrorPanel } from '../ui/page/ErrorNotice.tsx'
import { Page, Skeleton } from '../ui/page/Page.tsx'
import { EmptyState } from '../ui/table/EmptyState.tsx'
import { ExportLink } from '../ui/table/Export.tsx'
import { type Column, column, Table, timeColumn } from '../ui/table/Table.tsx'
import { Link } from '../ui/text/Link.tsx'
import { ActorName } from './ActorName.tsx'
import { type AuditRow, useAuditEvent, useAuditLog } from './api.ts'
import { EventSheet } from './EventSheet.tsx'
import { formatTerm, parseQuery } from './query.ts'
import { ACTION_LABELS, describeTarget, KINDS } from './words.ts'

const route = getRouteApi('/o/$tenant/audit')

const columns: readonly Column<AuditRow>[] = [
  column('Action', ({ id, action }) => <EventLink id={id} action={action} />),
  column('Target', (row) => <TargetName row={row} />, { width: 'wide' }),
  column('Actor', ({ actor }) => <ActorName actor={actor} />),
  timeColumn('Time', ({ createdAt }) => createdAt),
]

/** The tenant's audit log: filters, list and one event in a drawer. */
export function Audit() {
  const { slug, name } = useTenant()
  const shown = route.useSearch()
  const { q = '', event: id, period } = shown
  const navigate = route.useNavigate()
  const range = useRange(shown)
  const query = { ...parseQuery(q), ...((period !== undefined || isFixed(shown)) && range) }
  const list = useAuditLog(query)
  const rows = list.data?.pages.flatMap((page) => page.rows)
  const loaded = rows?.find((row) => row.id === id)
  // it may be further down than the rows that are loaded
  const fetched = useAuditEvent(loaded ? undefined : id)
  const event = loaded ?? fetched.data
  const search = (q: string) =>
    void navigate({ search: (now) => ({ ...now, event: undefined, q: q === '' ? undefined : q }) })

  return (
    <Page
      title="Audit log"
      context={name}
      description="All changes, and every view by support staff. Entries can’t be edited or deleted."
      actions={
        <ExportLink
          name="audit"
          query={{ tenant: slug, ...query }}
          reason={rows?.length === 0 ? 'Nothing to export.' : undefined}
        />
      }
    >
      <div className="grid gap-3">
        <div className="flex flex-wrap items-center gap-2">
          <PeriodPicker
            all
            search={shown}
            onChange={(chosen) => void navigate({ search: (now) => ({ ...now, ...chosen }), resetScroll: false })}
          />
          <Select label="Kind" value={q in KINDS ? q : ''} onChange={search} options={{ '': 'Any kind', ...KINDS }} />
        </div>
        <SearchForm key={q} q={q} onSearch={search} />
      </div>
      <Table
        label="Audit log"
        list={list}
        columns={columns}
        rowKey={({ id }) => id}
        empty={
          Object.keys(query).length === 0 ? (
            <EmptyState title="No changes yet">
              When someone invites a member, creates a site or rotates a key, the change is listed here with its author.
            </EmptyState>
          ) : (
            <EmptyState
              title="No matching events"
              action={<Button onClick={() => void navigate({ search: {} })}>Show all</Button>}
            >
              Events must match every filter. Parts of words are enough.
            </EmptyState>
          )
        }
      />
      <EventSheet
        open={id !== undefined}
        event={event}
        title={event ? (ACTION_LABELS[event.action] ?? event.action) : 'Event'}
        missing={
          fetched.error ? (
            <ErrorPanel error={fetched.error} retrying={fetched.isFetching} onRetry={() => void fetched.refetch()} />
          ) : (
            <Skeleton width="long" />
          )
        }
        onClose={() => void navigate({ search: (now) => ({ ...now, event: undefined }), resetScroll: false })}
      >
        {event && <SimilarEvents event={event} onSearch={search} />}
      </EventSheet>
    </Page>
  )
}

function SimilarEvents({ event, onSearch }: { event: AuditRow; onSearch: (q: string) => void }) {
  const { actor, action, target } = event
  return (
    <div className="flex flex-wrap gap-2">
      <Button onClick={() => onSearch(formatTerm('action', action))}>Filter by this action</Button>
      {actor.email !== null && (
        <Button onClick={() => onSearch(formatTerm('actor', actor.email ?? ''))}>Filter by this person</Button>
      )}
      <Button onClick={() => onSearch(formatTerm('target', target))}>Filter by this target</Button>
    </div>
  )
}

function TargetName({ row }: { row: AuditRow }) {
  const { name, part } = describeTarget(row)
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
      {ACTION_LABELS[action] ?? action}
    </Link>
  )
}

/** The search field, with the query from the URL. Enter submits it. */
function SearchForm({ q, onSearch }: { q: string; onSearch: (q: string) => void }) {
  return (
    <search>
      <form
        className="flex items-center gap-2"
        onSubmit={(event) => {
          event.preventDefault()
          const typed = new FormData(event.currentTarget).get('q')
          onSearch(typeof typed === 'string' ? typed.trim() : '')
        }}
      >
        <div className="relative min-w-0 grow">
          <SearchIcon size={15} aria-hidden className="pointer-events-none absolute top-2.5 left-3 text-ink-2" />
          <input
            name="q"
            type="text"
            aria-label="Search the audit log"
            aria-describedby="audit-grammar"
            defaultValue={q}
            placeholder="actor:mara action:secret …"
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            className={`${INPUT} px-9`}
          />
          {q !== '' && (
            <span className="absolute top-0.5 right-0.5">
              <IconButton icon={X} label="Clear search" onClick={() => onSearch('')} />
            </span>
          )}
        </div>
        <Button type="submit" size="field">
          Search
        </Button>
      </form>
      <p id="audit-grammar" className="mt-1.5 text-12 text-ink-2">
        Filter with <code className="font-mono">actor:</code> <code className="font-mono">action:</code>{' '}
        <code className="font-mono">target:</code>. Other words are searched in the target and the changed values.
      </p>
    </search>
  )
}
