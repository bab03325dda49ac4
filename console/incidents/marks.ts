import type { inferOutput } from '@trpc/tanstack-react-query'
import type { trpc } from '../trpc.ts'
import type { ChartMark } from '../ui/chart/chartData.ts'

export type Marks = inferOutput<typeof trpc.usage.series>['marks']
export type Change = Marks['changes'][number]

export const CHANGES = {
  'site.set_policy': 'Policy changed',
  'site.start_attack_mode': 'Attack mode turned on for an hour',
  'site.end_attack_mode': 'Attack mode ended early',
  'site.pause': 'Site paused',
  'site.resume': 'Site resumed',
  'hostname.add': 'Hostname allowed',
  'hostname.remove': 'Hostname removed',
  'secret.issue': 'Secret key created',
  'secret.rotate': 'Secret key rotated',
  'secret.revoke': 'Secret key revoked',
} satisfies Record<Change['action'], string>

/** `Policy changed by Ada Byron, Storefront`. */
const describeChange = ({ action, by, siteName }: Change): string =>
  [by === null ? CHANGES[action] : `${CHANGES[action]} by ${by}`, siteName].filter(Boolean).join(', ')

/** Changes and incidents as marks of a chart. An open incident lasts until the chart's end. */
export const marksOf = ({ changes, incidents }: Marks): ChartMark[] => [
  ...incidents.map(({ id, siteName, from, to }) => ({
    id,
    kind: 'incident' as const,
    at: from,
    to: to ?? Number.MAX_SAFE_INTEGER,
    text: ['Incident', siteName].filter(Boolean).join(', '),
  })),
  ...changes.map((change) => ({
    id: change.id,
    kind: change.action.startsWith('secret.') ? ('key' as const) : ('change' as const),
    at: change.at,
    text: describeChange(change),
  })),
]
