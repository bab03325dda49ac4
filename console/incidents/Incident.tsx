import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { inferOutput } from '@trpc/tanstack-react-query'
import { useTenant } from '../frame/useTenant.ts'
import { summaryOptions } from '../overview/api.ts'
import { trpc } from '../trpc.ts'
import { PageLink } from '../ui/form/Button.tsx'
import { ErrorPanel } from '../ui/page/ErrorNotice.tsx'
import { codeOf } from '../ui/page/errorMessage.ts'
import { Page, Panel, Skeleton } from '../ui/page/Page.tsx'
import { EmptyState } from '../ui/table/EmptyState.tsx'
import { elapsed } from '../ui/text/format.ts'
import { Link } from '../ui/text/Link.tsx'
import { Pill } from '../ui/text/Pill.tsx'
import { Time } from '../ui/text/Time.tsx'
import { IncidentActions, IncidentDocs } from './Actions.tsx'
import { AttackNotice } from './AttackSwitch.tsx'
import { IncidentDetails } from './Details.tsx'
import { IncidentChart } from './IncidentChart.tsx'
import { CHANGES } from './marks.ts'
import { ShareIncident } from './ShareIncident.tsx'
import { titleOf } from './title.ts'
import { causeOf, effectOf } from './words.ts'

type Summary = inferOutput<typeof trpc.incidents.get>

const route = getRouteApi('/o/$tenant/incidents/$id')

const REFRESH_MS = 30_000

/** One incident: what rose, what was done, and the traffic before, during and after it. */
export function Incident() {
  const { slug, name } = useTenant()
  const { id } = route.useParams()
  const incident = useQuery(
    trpc.incidents.get.queryOptions(
      { tenant: slug, id },
      // what comes after it is counted for an hour
      { refetchInterval: ({ state: { data } }) => (data && data.phases.length > 2 ? false : REFRESH_MS) },
    ),
  )
  const { data: now } = useQuery(summaryOptions(slug))
  const { data, error } = incident
  if (codeOf(error) === 'NOT_FOUND') return <NoIncident />
  const attack = now?.ongoing.attacks.find(({ site }) => site === data?.site.id)
  return (
    <Page
      title={data ? titleOf(data) : 'Incident'}
      context={name}
      breadcrumb={
        <Link to="/o/$tenant/incidents" params={{ tenant: slug }}>
          Incidents
        </Link>
      }
      description={data ? <Head incident={data} /> : <Skeleton width="long" />}
      actions={data && now && <IncidentActions incident={data} attacked={attack !== undefined} />}
    >
      {/* in attack mode everyone waits what its notice says */}
      {data && now && !(attack && data.kind === 'work' && data.endedAt === null) && (
        <p className="max-w-160 text-14 text-pretty wrap-anywhere">
          {data.endedAt === null && <strong className="font-semibold">{effectOf(data)} </strong>}
          {causeOf(data)}
        </p>
      )}
      {attack && <AttackNotice {...attack} />}
      {error ? (
        <ErrorPanel error={error} retrying={incident.isFetching} onRetry={() => void incident.refetch()} />
      ) : !data || !now ? (
        <Skeleton width="long" />
      ) : (
        <>
          <IncidentChart incident={data} />
          <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 lg:grid-cols-2">
            <Panel title="What happened">
              <IncidentDetails incident={data} />
            </Panel>
            <Panel title="Timeline">
              <Timeline incident={data} />
            </Panel>
          </div>
          <ShareIncident id={data.id} token={data.shareToken} />
        </>
      )}
    </Page>
  )
}

function Head({ incident: { site, startedAt, endedAt } }: { incident: Summary }) {
  const { slug } = useTenant()
  return (
    <span className="flex min-h-6 flex-wrap items-center gap-x-3 gap-y-1">
      {endedAt === null ? <Pill tone="challenge">Ongoing</Pill> : <Pill tone="neutral">Ended</Pill>}
      <span>
        <Time at={startedAt} as="zoned" />
        {endedAt !== null && `, for ${elapsed(endedAt - startedAt)}`}
      </span>
      {site.name !== null && (
        <Link to="/o/$tenant/sites/$site" params={{ tenant: slug, site: site.id }}>
          {site.name}
        </Link>
      )}
    </span>
  )
}

/** The start, the changes and the end on one line of time. */
function Timeline({ incident }: { incident: Summary }) {
  const { id, startedAt, endedAt, changes } = incident
  const { slug, may } = useTenant()
  const events = [
    { key: id, at: startedAt, title: 'The incident started', about: undefined },
    ...changes.map(({ id: key, at, action, by }) => ({
      key,
      at,
      title: CHANGES[action],
      about: by === null ? undefined : `By ${by}`,
    })),
    ...(endedAt === null ? [] : [{ key: 'end', at: endedAt, title: 'The incident ended', about: undefined }]),
  ].toSorted((a, b) => a.at - b.at)
  return (
    <div className="grid gap-4">
      <ol aria-label="Timeline" className="grid gap-4">
        {events.map(({ key, at, title, about }) => (
          <li key={key} className="border-l-2 border-line-strong pl-3 text-13">
            <p className="flex flex-wrap items-baseline justify-between gap-x-4">
              <span className="font-semibold">{title}</span>
              <span className="text-12 text-ink-2">
                <Time at={at} as="second" />
              </span>
            </p>
            {about !== undefined && <p className="mt-0.5 wrap-anywhere text-ink-2">{about}</p>}
          </li>
        ))}
      </ol>
      {endedAt === null && (
        <p className="text-12 text-ink-2">It ends by itself once the site has been calm for five minutes.</p>
      )}
      <p className="flex flex-wrap gap-x-4 text-12">
        {may('audit.read') && (
          <Link to="/o/$tenant/audit" params={{ tenant: slug }}>
            Audit log
          </Link>
        )}
        <IncidentDocs incident={incident} />
      </p>
    </div>
  )
}

function NoIncident() {
  const { slug, name } = useTenant()
  return (
    <Page title="Incident not found" context={name}>
      <EmptyState
        title="This incident doesn’t exist"
        action={
          <PageLink to="/o/$tenant/incidents" params={{ tenant: slug }}>
            All incidents
          </PageLink>
        }
      >
        There is no such incident in {name}. Check its address.
      </EmptyState>
    </Page>
  )
}
