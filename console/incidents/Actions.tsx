import { DocsLink } from '../frame/DocsLink.tsx'
import { useTenant } from '../frame/useTenant.ts'
import { PageLink } from '../ui/form/Button.tsx'
import { StartAttackMode } from './AttackSwitch.tsx'
import { canAttack, type Incident, isOfBackend, requestsOf } from './words.ts'

/**
 * What can be done about an incident, by its cause: to look at the refused requests, or attack mode, which stops no calls of the
 * merchant's own servers. `attacked`: the site is in attack mode.
 */
export function IncidentActions({ incident, attacked }: { incident: Incident; attacked: boolean }) {
  const { slug, may } = useTenant()
  return (
    <>
      {incident.kind === 'refusals' && may('refusal.read') && (
        <PageLink
          to="/o/$tenant/refusals"
          params={{ tenant: slug }}
          search={requestsOf(incident)}
          look={isOfBackend(incident) ? 'primary' : 'secondary'}
        >
          See the requests
        </PageLink>
      )}
      {canAttack(incident, attacked) && <StartAttackMode site={incident.site} />}
    </>
  )
}

/** The page of the docs about the cause. */
export function IncidentDocs({ incident }: { incident: Incident }) {
  return isOfBackend(incident) ? (
    <DocsLink page={`errors#${incident.cause?.code === 'bad-field' ? 'bad-request' : incident.cause?.code}`}>
      What the error means
    </DocsLink>
  ) : (
    <DocsLink page="under-attack">What to do in an attack</DocsLink>
  )
}
