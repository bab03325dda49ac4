import type { inferOutput } from '@trpc/tanstack-react-query'
import { incidentTitle, natureOf } from '../../server/contract/incidents.ts'
import { DEVICES, formatSeconds } from '../sites/solveTimes.ts'
import { errorName, hashes } from '../traffic/words.ts'
import type { trpc } from '../trpc.ts'
import { counted, percent, whole } from '../ui/text/format.ts'

export type Incident = inferOutput<typeof trpc.incidents.list>['rows'][number]
type Phase = inferOutput<typeof trpc.incidents.get>['phases'][number]
type AttackEffect = inferOutput<typeof trpc.sites.attackEffect>

/** `Storefront: calls of your backend are refused`. */
export const titleOf = ({ kind, cause, site }: Pick<Incident, 'kind' | 'cause' | 'site'>): string =>
  `${site.name ?? 'Deleted site'}: ${incidentTitle(kind, cause?.endpoint)}`

/** Whether the calls of the merchant's own servers are refused, so that no difficulty can help. */
export const isOfBackend = ({ kind, cause }: Pick<Incident, 'kind' | 'cause'>): boolean =>
  natureOf(kind, cause?.endpoint) === 'backend'

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

/** What happened, in a sentence. */
export const summaryOf = ({ kind, peak, usual }: Pick<Incident, 'kind' | 'peak' | 'usual'>): string =>
  kind === 'work'
    ? `Up to ${percent(peak)} of the challenges were raised in 10 minutes. Usual at this time: ${percent(usual)}.`
    : `Up to ${counted(Math.round(peak), 'request')} were refused in 10 minutes. Usual at this time: ${whole(Math.round(usual))}.`

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
    ? `The difficulty was raised for ${counted(networks, 'network')}, from ${hashes(workFrom)} up to ${hashes(workTo)} hashes.`
    : kind === 'refusals'
      ? 'The requests were refused. No difficulty was raised.'
      : 'Nothing: the policy does not raise the difficulty.'

const PHONES = DEVICES.slice(0, 2)

/** What a difficulty costs on phones: `2.1 s on a slow phone, 0.5 s on a current phone`. */
export const waitOf = (work: number): string =>
  PHONES.map(({ name, hashesPerSecond }) => `${formatSeconds(work / hashesPerSecond)} on a ${name.toLowerCase()}`).join(
    ', ',
  )

/** A refusal as the API reports it: `/challenge bad-request intent_id`. */
export const refusalOf = ({ endpoint, code, field }: NonNullable<Incident['cause']>): string =>
  `${endpoint} ${errorName(code, field)}`

/** What attack mode would have done to the visitors of the last week, in a sentence. */
export const attackEffectOf = (effect: Pick<NonNullable<AttackEffect>, 'slow' | 'refused'> | null): string =>
  effect === null
    ? 'No verifications last week to compare with.'
    : `Of last week’s visitors, ${percent(effect.slow)} would have waited longer than 15 s, and ${percent(effect.refused)} would have been refused.`
