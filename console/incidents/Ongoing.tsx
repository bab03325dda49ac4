import { useMutation } from '@tanstack/react-query'
import type { inferOutput } from '@trpc/tanstack-react-query'
import { WORK_BOUNDS } from '../../server/contract/sitePolicy.ts'
import { useTenant } from '../frame/useTenant.ts'
import { trpc } from '../trpc.ts'
import { Button, PageLink } from '../ui/form/Button.tsx'
import { toast } from '../ui/overlay/toast.ts'
import { Notice } from '../ui/page/Notice.tsx'
import { Time } from '../ui/text/Time.tsx'
import { AttackEffect } from './AttackEffect.tsx'
import { doneOf, type Incident, refusalOf, summaryOf, titleOf, waitOf } from './words.ts'

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
          {!attacked && <StartAttackMode site={site.id} />}
          <PageLink to="/o/$tenant/incidents/$id" params={{ tenant: slug, id }}>
            See the incident
          </PageLink>
        </div>
      }
    >
      <p>
        Since <Time at={startedAt} as="zoned" />. {summaryOf(incident)} <Where incident={incident} />
      </p>
      <p className="mt-1">Done automatically: {doneOf(incident)}</p>
      <p className="mt-1">Visitors who show no sign of automation wait {waitOf(incident.honestWork)}.</p>
      {!attacked && (
        <p className="mt-1">
          <AttackEffect site={site.id} label="Effect of attack mode: " />
        </p>
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

/** Says until when a site is in attack mode, with a button that ends it. */
export function AttackNotice({ site, name, until }: Ongoing['attacks'][number]) {
  const { whyNot } = useTenant()
  const { end } = useAttackMode(site)
  return (
    <Notice
      tone="block"
      title={`Attack mode is on for ${name}`}
      action={
        <Button busy={end.isPending} reason={whyNot('settings.write')} onClick={() => end.mutate()}>
          End attack mode
        </Button>
      }
    >
      Every visitor gets the maximum difficulty: {waitOf(WORK_BOUNDS.max)} on average, and up to three times that in
      busy networks. It ends by itself (
      <Time at={until} as="zoned" />
      ). Then the policy of the site applies again.
    </Notice>
  )
}

/** The button that puts a site into attack mode for an hour. */
export function StartAttackMode({ site }: { site: string }) {
  const { whyNot } = useTenant()
  const { start } = useAttackMode(site)
  return (
    <Button
      busy={start.isPending}
      reason={whyNot('settings.write')}
      title={`Maximum difficulty for every visitor: ${waitOf(WORK_BOUNDS.max)} on average. It ends by itself.`}
      onClick={() => start.mutate()}
    >
      Attack mode for an hour
    </Button>
  )
}

function useAttackMode(site: string) {
  const { slug } = useTenant()
  const set = useMutation(
    trpc.sites.setAttackMode.mutationOptions({
      onSuccess: ({ name, attackUntil }) => {
        const on = attackUntil !== null
        toast(on ? `Attack mode is on for ${name}` : `Attack mode has ended for ${name}`, {
          description: on
            ? 'It takes effect within 10 seconds and ends in an hour.'
            : 'It takes effect within 10 seconds.',
        })
      },
    }),
  )
  const change = (on: boolean) => ({
    isPending: set.isPending,
    mutate: () => set.mutate({ tenant: slug, site, on }),
  })
  return { start: change(true), end: change(false) }
}
