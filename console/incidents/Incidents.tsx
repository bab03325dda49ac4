import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query'
import { DocsLink } from '../frame/DocsLink.tsx'
import { useTenant } from '../frame/useTenant.ts'
import { queryClient, trpc } from '../trpc.ts'
import { Switch } from '../ui/form/Switch.tsx'
import { toast } from '../ui/overlay/toast.ts'
import { Page, Panel } from '../ui/page/Page.tsx'
import { EmptyState } from '../ui/table/EmptyState.tsx'
import { type Column, column, Table } from '../ui/table/Table.tsx'
import { Link } from '../ui/text/Link.tsx'
import { Pill } from '../ui/text/Pill.tsx'
import { Time, useNow } from '../ui/text/Time.tsx'
import { titleOf } from './title.ts'
import { durationOf, figureOf, type Incident } from './words.ts'

const columns: readonly Column<Incident>[] = [
  column('Incident', (incident) => <IncidentLink incident={incident} />, { width: 'wide' }),
  column(
    'State',
    ({ endedAt }) => (endedAt === null ? <Pill tone="challenge">Ongoing</Pill> : <Pill tone="neutral">Ended</Pill>),
    { width: 'narrow' },
  ),
  column('Started', ({ startedAt }) => <Time at={startedAt} as="relative" />, { width: 'narrow' }),
  column('Duration', (incident) => <Duration incident={incident} />, { width: 'narrow' }),
  column('Peak in 10 minutes', ({ kind, peak }) => figureOf(kind, peak), { width: 'narrow' }),
  column('Action', ({ action }) => action ?? '–', { from: '2xl' }),
  column('Host', ({ hostname }) => hostname ?? '–', { from: '2xl' }),
]

/** The tenant's incidents, the newest first. */
export function Incidents() {
  const { slug, name, may } = useTenant()
  const list = useInfiniteQuery(
    trpc.incidents.list.infiniteQueryOptions(
      { tenant: slug },
      { getNextPageParam: ({ nextCursor }) => nextCursor, refetchInterval: 30_000 },
    ),
  )
  return (
    <Page
      title="Incidents"
      context={name}
      description="Times in which more challenges were raised, or more requests refused, than is usual for a site at that time of the day."
    >
      <Table
        label="Incidents"
        list={list}
        columns={columns}
        rowKey={({ id }) => id}
        empty={
          <EmptyState title="No incidents">
            Every minute, the last ten minutes of each site are compared with its last seven days. What rises far above
            them is listed here and e-mailed to owners, admins and developers.{' '}
            <DocsLink page="under-attack">What to do in an attack</DocsLink>
          </EmptyState>
        }
      />
      {may('incident.email') && <OwnEmails />}
    </Page>
  )
}

/** The switch for the person's own e-mails. Others of the tenant have their own. */
function OwnEmails() {
  const { slug } = useTenant()
  const options = trpc.incidents.emails.queryOptions({ tenant: slug })
  const { data } = useQuery(options)
  const set = useMutation(
    trpc.incidents.setEmails.mutationOptions({
      onMutate: ({ on }) => queryClient.setQueryData(options.queryKey, on),
      onSuccess: (on) => toast(on ? 'You get e-mails about incidents' : 'You get no more e-mails about incidents'),
    }),
  )
  return (
    <Panel title="E-mails">
      <Switch
        label="E-mail me about incidents"
        hint="When one starts, at most once an hour for a site, and when it has ended. This is for you only: each owner, admin and developer can turn it off."
        checked={data ?? true}
        onChange={(on) => set.mutate({ tenant: slug, on })}
      />
    </Panel>
  )
}

function Duration({ incident }: { incident: Incident }) {
  return durationOf(incident, useNow())
}

function IncidentLink({ incident }: { incident: Incident }) {
  const { slug } = useTenant()
  return (
    <Link to="/o/$tenant/incidents/$id" params={{ tenant: slug, id: incident.id }}>
      {titleOf(incident)}
    </Link>
  )
}
