import type { inferOutput } from '@trpc/tanstack-react-query'
import { useTenant } from '../frame/useTenant.ts'
import type { trpc } from '../trpc.ts'
import { PageLink } from '../ui/form/Button.tsx'
import { Notice } from '../ui/page/Notice.tsx'
import { AttackNotice, StartAttackMode } from './AttackSwitch.tsx'
import { titleOf } from './title.ts'
import { canAttack, effectOf, type Incident, isHandled } from './words.ts'

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
      {incidents.map((incident, index) => (
        <IncidentNotice
          key={incident.id}
          incident={incident}
          first={index === 0}
          attacked={attacks.some((attack) => attack.site === incident.site.id)}
        />
      ))}
    </>
  )
}

/** Names an ongoing incident and what it means for visitors. The details are on its page. */
function IncidentNotice({ incident, attacked, first }: { incident: Incident; attacked: boolean; first: boolean }) {
  const { slug } = useTenant()
  return (
    <Notice
      tone="challenge"
      title={titleOf(incident)}
      action={
        <div className="flex flex-wrap gap-2">
          <PageLink
            to="/o/$tenant/incidents/$id"
            params={{ tenant: slug, id: incident.id }}
            look={first ? 'primary' : 'secondary'}
          >
            See the incident
          </PageLink>
          {canAttack(incident, attacked) && !isHandled(incident) && <StartAttackMode site={incident.site} />}
        </div>
      }
    >
      {effectOf(incident)}
    </Notice>
  )
}
