import type { inferOutput } from '@trpc/tanstack-react-query'
import { useTenant } from '../frame/useTenant.ts'
import type { trpc } from '../trpc.ts'
import { PageLink } from '../ui/form/Button.tsx'
import { Notice } from '../ui/page/Notice.tsx'
import { Time } from '../ui/text/Time.tsx'
import { IncidentActions, IncidentDocs } from './Actions.tsx'
import { AttackEffect } from './AttackEffect.tsx'
import { AttackNotice } from './AttackSwitch.tsx'
import { Servers } from './Servers.tsx'
import { doneOf, type Incident, isOfBackend, refusalOf, summaryOf, titleOf, waitOf } from './words.ts'

type Ongoing = inferOutput<typeof trpc.tenants.summary>['ongoing']

/** Notices about open incidents and attack mode: of all sites, or of one. */
export function OngoingNotices({ ongoing, site }: { ongoing: Ongoing; site?: string }) {
  const attacks = ongoing.attacks.filter((attack) => site === undefined || attack.site === site)
  const incidents = ongoing.incidents.filter((incident) => site === undefined || incident.site.id === site)
  return (
    <>
      {attacks.map((attack) => (
        <AttackNotice key={attack.site} {...attack} />
      ))}
      {incidents.map((incident) => (
        <IncidentNotice
          key={incident.id}
          incident={incident}
          attacked={attacks.some((attack) => attack.site === incident.site.id)}
        />
      ))}
    </>
  )
}

/** What rose, since when and where, what was done about it, and what visitors pay. */
function IncidentNotice({ incident, attacked }: { incident: Incident; attacked: boolean }) {
  const { slug } = useTenant()
  const { id, site, startedAt } = incident
  return (
    <Notice
      tone="challenge"
      title={titleOf(incident)}
      action={
        <div className="flex flex-wrap gap-2">
          <IncidentActions incident={incident} attacked={attacked} />
          <PageLink to="/o/$tenant/incidents/$id" params={{ tenant: slug, id }}>
            See the incident
          </PageLink>
        </div>
      }
    >
      <p>
        Since <Time at={startedAt} as="zoned" />. {summaryOf(incident)} <Where incident={incident} />
      </p>
      {isOfBackend(incident) ? (
        <>
          <p className="mt-1">
            Your own servers make these calls, so no difficulty stops them. <IncidentDocs incident={incident} />
          </p>
          <p className="mt-1">
            <Servers incident={incident} label="Calling servers:" />
          </p>
        </>
      ) : (
        <>
          <p className="mt-1">Done automatically: {doneOf(incident)}</p>
          <p className="mt-1">Visitors who show no sign of automation wait {waitOf(incident.honestWork)}.</p>
          {!attacked && (
            <p className="mt-1">
              <AttackEffect site={site.id} label="Effect of attack mode: " />
            </p>
          )}
        </>
      )}
    </Notice>
  )
}

function Where({ incident: { action, hostname, cause } }: { incident: Incident }) {
  const parts = [
    cause && `refusal ${refusalOf(cause)}`,
    action && `action ${action}`,
    hostname && `host ${hostname}`,
  ].filter(Boolean)
  return parts.length > 0 && `Most frequent: ${parts.join(', ')}.`
}
