import type { inferOutput } from '@trpc/tanstack-react-query'
import { useTenant } from '../frame/useTenant.ts'
import type { trpc } from '../trpc.ts'
import { Fact, Facts } from '../ui/table/Facts.tsx'
import { counted, whole } from '../ui/text/format.ts'
import { Link } from '../ui/text/Link.tsx'
import { Code } from '../ui/text/Snippet.tsx'
import { Servers } from './Servers.tsx'
import { figureOf, isOfBackend, refusalOf, requestsOf, usualOf } from './words.ts'

type Summary = inferOutput<typeof trpc.incidents.get>

/** The figures of an incident, and what most of its requests have in common. */
export function IncidentDetails({ incident }: { incident: Summary }) {
  const { kind, peak, usual, networks, action, hostname, cause, endedAt } = incident
  const { may } = useTenant()
  const during = incident.phases.find(({ name }) => name === 'during')
  return (
    <Facts>
      <Fact name="Peak">
        {figureOf(kind, peak)} in 10 minutes
        <span className="block text-12 text-ink-2">Usual at this time of the day: {usualOf(kind, usual)}.</span>
      </Fact>
      {during && <Fact name="Charged">{counted(during.charged, 'unit')}</Fact>}
      {cause && (
        <Fact name="Most frequent refusal">
          <RefusalsLink incident={incident}>{refusalOf(cause)}</RefusalsLink>
        </Fact>
      )}
      {action !== null && (
        <Fact name="Most frequent action">
          {kind === 'work' ? (
            <DecisionsLink incident={incident} by={{ action }}>
              {action}
            </DecisionsLink>
          ) : (
            // the list of refusals has no actions
            <Code>{action}</Code>
          )}
        </Fact>
      )}
      {hostname !== null && (
        <Fact name="Most frequent host">
          {kind === 'work' ? (
            <DecisionsLink incident={incident} by={{ hostname }}>
              {hostname}
            </DecisionsLink>
          ) : (
            <RefusalsLink incident={incident} hostname={hostname}>
              {hostname}
            </RefusalsLink>
          )}
        </Fact>
      )}
      {networks > 0 && (
        <Fact name="Networks">
          {whole(networks)}
          <span className="block text-12 text-ink-2">Not named: visitors’ addresses are not stored.</span>
        </Fact>
      )}
      {isOfBackend(incident) && may('secret.read') && (
        // a secret has only its last call, which may be later than the incident
        <Fact name={endedAt === null ? 'Calling servers' : 'Servers that called since'}>
          <Servers incident={incident} />
        </Fact>
      )}
    </Facts>
  )
}

/** The refusal or the host, as a link to the refused requests of the incident. */
function RefusalsLink({ incident, hostname, children }: { incident: Summary; hostname?: string; children: string }) {
  const { slug, may } = useTenant()
  const text = <Code>{children}</Code>
  if (!may('refusal.read')) return text
  return (
    <Link
      to="/o/$tenant/refusals"
      params={{ tenant: slug }}
      search={{ ...requestsOf(incident), ...(hostname !== undefined && { hostname }) }}
    >
      {text}
    </Link>
  )
}

/** An action or a host, as a link to the site's decisions with it during the incident. */
function DecisionsLink({
  incident,
  by,
  children,
}: {
  incident: Summary
  by: { action: string } | { hostname: string }
  children: string
}) {
  const { slug } = useTenant()
  const { from, to, site } = requestsOf(incident)
  return (
    <Link to="/o/$tenant/decisions" params={{ tenant: slug }} search={{ from, to, site, ...by }}>
      <Code>{children}</Code>
    </Link>
  )
}
