import type { inferOutput } from '@trpc/tanstack-react-query'
import { natureOf } from '../../server/contract/incidents.ts'
import { MOST_WORK_BOUND, SLOW_PHONE, WORK_BOUNDS } from '../../server/contract/sitePolicy.ts'
import { CURRENT, formatSeconds, waitFor, waitOf, waitOn } from '../sites/solveTimes.ts'
import { errorName } from '../traffic/words.ts'
import type { trpc } from '../trpc.ts'
import { counted, elapsed, percent, whole } from '../ui/text/format.ts'

export type Incident = inferOutput<typeof trpc.incidents.list>['rows'][number]
type Summary = inferOutput<typeof trpc.incidents.get>
type Phase = Summary['phases'][number]
type AttackEffect = inferOutput<typeof trpc.sites.attackEffect>

/** Whether the calls of the merchant's own servers are refused, so that no difficulty can help. */
export const isOfBackend = ({ kind, cause }: Pick<Incident, 'kind' | 'cause'>): boolean =>
  natureOf(kind, cause?.endpoint) === 'backend'

/** Whether attack mode can be started against it. `attacked`: the site is in it. */
export const canAttack = (incident: Pick<Incident, 'kind' | 'cause' | 'endedAt'>, attacked: boolean): boolean =>
  !attacked && incident.endedAt === null && !isOfBackend(incident)

/** The minutes before the end that belong to it: it ends when the site has been calm for that long. */
const AFTERWARDS = 60

/** The refused requests of an incident, as the search of the page that lists them. An open one lasts up to a day. */
export const requestsOf = ({ site, startedAt, endedAt, cause }: Incident) => ({
  from: startedAt,
  to: endedAt === null ? startedAt + 86_400 : endedAt + AFTERWARDS,
  site: site.id,
  ...(cause && {
    endpoint: cause.endpoint,
    code: cause.code,
    ...(cause.field !== null && { field: cause.field }),
  }),
})

/** A figure of ten minutes: a share of raised challenges, or a number of refused requests. */
export const figureOf = (kind: Incident['kind'], value: number): string =>
  kind === 'work' ? `${percent(value)} of challenges raised` : `${counted(Math.round(value), 'request')} refused`

/** What is usual at that time of the day, in the unit of `figureOf`. */
export const usualOf = (kind: Incident['kind'], value: number): string =>
  kind === 'work' ? percent(value) : whole(Math.round(value))

/** What happened, in a sentence. */
export const summaryOf = ({ kind, peak, usual }: Pick<Incident, 'kind' | 'peak' | 'usual'>): string =>
  kind === 'work'
    ? `Up to ${percent(peak)} of the challenges were raised in 10 minutes. Usual at this time: ${usualOf(kind, usual)}.`
    : `Up to ${counted(Math.round(peak), 'request')} were refused in 10 minutes. Usual at this time: ${usualOf(kind, usual)}.`

/** The traffic during an incident, in a sentence. */
export const trafficOf = ({ completed, raised, refused }: Pick<Phase, 'completed' | 'raised' | 'refused'>): string =>
  `In this time: ${refused === null ? 'an unknown number of requests' : counted(refused, 'request')} refused, ${counted(completed, 'verification')} completed${raised > 0 ? `, ${whole(raised)} of them with a raised challenge` : ''}.`

/** What was done without anyone: in a sentence. */
export const doneOf = ({
  kind,
  networks,
  workFrom,
  workTo,
}: Pick<Incident, 'kind' | 'networks' | 'workFrom' | 'workTo'>): string =>
  networks > 0 && workTo > workFrom
    ? `The difficulty was raised for ${counted(networks, 'network')}: they waited ${raisedWaitOf(workFrom, workTo)}.`
    : kind === 'refusals'
      ? 'The requests were refused. No difficulty was raised.'
      : 'Nothing: the policy does not raise the difficulty.'

type Handled = Pick<Incident, 'kind' | 'networks' | 'workFrom' | 'workTo' | 'honestWork' | 'endedAt'>

/** What caused an incident, as far as it is known, and how much of it there was, in sentences. What an open one means is in `effectOf`. */
export const causeOf = (incident: Summary): string =>
  incident.kind === 'work' ? causeOfRaised(incident) : `${causeOfRefusals(incident)}${refusedOf(incident)}`

function causeOfRaised(incident: Handled): string {
  const { networks, workFrom, workTo, honestWork, endedAt } = incident
  const open = endedAt === null
  if (networks === 0 || workTo <= workFrom)
    return `The traffic ${open ? 'looks' : 'looked'} like an attack${open ? '' : ', but the policy does not raise the difficulty'}.`
  const raised = `Visitors from ${counted(networks, 'network')} ${open ? 'wait' : 'waited'} ${raisedWaitOf(workFrom, workTo)}`
  // of an open one, effectOf says it
  if (open) return `${raised}.`
  return `${raised}; other visitors waited ${honestWork > workFrom ? waitOn(CURRENT, honestWork, true) : 'as usual'}.`
}

function causeOfRefusals({ cause, why, hostname, startedAt, changes }: Summary): string {
  if (cause === null || why === null) return ''
  if (hostname !== null && cause.code === 'origin-not-allowed')
    return `The requests came from pages on ${hostname}, which is not the intent’s hostname or is not allowed. `
  if (hostname === null || cause.code !== 'bad-field' || cause.field !== 'hostname')
    return `Most frequent: ${refusalOf(cause)}. ${why} `
  const allowed = changes.find(
    (change) => change.action === 'hostname.add' && change.hostname === hostname && change.at > startedAt,
  )
  const then = allowed ? `${allowed.by ?? 'A member'} allowed it ${elapsed(allowed.at - startedAt)} later. ` : ''
  return `Your backend sent ${hostname}, which was not allowed. ${then}`
}

function refusedOf({ phases, endedAt }: Summary): string {
  const refused = phases.find(({ name }) => name === 'during')?.refused
  if (typeof refused !== 'number') return ''
  return `${counted(refused, 'request')} ${refused === 1 ? 'was' : 'were'} refused${endedAt === null ? ' so far' : ''}.`
}

/** Whether only the networks that cause the incident have a raised difficulty. */
export const isHandled = ({ kind, networks, workFrom, workTo, honestWork }: Handled): boolean =>
  kind === 'work' && networks > 0 && workTo > workFrom && honestWork <= workFrom

/** What an open incident means for the site’s visitors, in a sentence. */
export function effectOf(incident: Handled & Pick<Incident, 'cause'>): string {
  if (isOfBackend(incident)) return 'Your own servers make these calls: the fix is in your backend.'
  const { kind, workFrom, honestWork } = incident
  if (honestWork > workFrom) return `Ordinary visitors wait ${honestWaitOf(incident)}.`
  const wait = `ordinary visitors still wait ${waitOn(CURRENT, honestWork, false)}.`
  if (kind === 'refusals') return `Handled automatically: ${wait}`
  if (isHandled(incident)) return `Handled automatically, nothing to do: ${wait}`
  return `The policy does not raise the difficulty: ${wait}`
}

/** How long an incident lasted, or has lasted: `1 h 5 min so far`. `now` in Unix seconds. */
export const durationOf = ({ startedAt, endedAt }: Pick<Incident, 'startedAt' | 'endedAt'>, now: number): string =>
  endedAt === null ? `${elapsed(now - startedAt)} so far` : elapsed(endedAt - startedAt)

/** What a raised difficulty costs: `up to 6.0 s on a current phone instead of 0.5 s`. */
const raisedWaitOf = (from: number, to: number): string =>
  `up to ${waitOn(CURRENT, to, true)} instead of ${formatSeconds(waitFor(from, { raised: false }, CURRENT.hashesPerSecond))}`

/** What visitors wait who show no sign of automation, as in `waitOf`. Theirs are raised by a traffic spike or attack mode only. */
export const honestWaitOf = ({ honestWork, workFrom }: Pick<Incident, 'honestWork' | 'workFrom'>): string =>
  waitOf(honestWork, honestWork > workFrom)

/** What everyone waits in attack mode, as in `waitOf`. */
export const ATTACK_WAIT = waitOf(WORK_BOUNDS.max, true)

/** What busy networks wait in attack mode on average at most, on a slow phone. */
export const MOST_WAIT = formatSeconds(waitFor(MOST_WORK_BOUND, { raised: true }, SLOW_PHONE))

/** A refusal as the API reports it: `/challenge bad-request intent_id`. */
export const refusalOf = ({ endpoint, code, field }: NonNullable<Incident['cause']>): string =>
  `${endpoint} ${errorName(code, field)}`

/** What attack mode would have done to the challenges of the last week, in a sentence. */
export const attackEffectOf = (effect: Pick<NonNullable<AttackEffect>, 'slow' | 'refused'> | null): string =>
  effect === null
    ? 'No verifications last week to compare with.'
    : `${percent(effect.slow)} of last week’s challenges would have taken longer than 15 s, and ${percent(effect.refused)} would have been refused.`
