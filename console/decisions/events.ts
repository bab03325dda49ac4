import { businessWords } from '../feedback/words.ts'
import { counted, elapsed, whole } from '../ui/text/format.ts'
import type { Trace } from './api.ts'
import { duration } from './words.ts'

type Decision = NonNullable<Trace['decision']>
type Report = Decision['feedback'][number]
type Challenge = NonNullable<Decision['challenge']>
type Mark = NonNullable<Decision['mark']>
type Reasons = Challenge['reasons']
type Cause = Challenge['causes'][number]['cause']

/** One event of the timeline. `at`: Unix seconds. */
export type TimelineEvent = {
  key: string
  at: number
  title: string
  tone: 'plain' | 'pass' | 'block'
  /** Sentences with details. */
  facts: string[]
  /** When the report that it replaces was received. */
  replaces?: number
  /** Ids by name. */
  ids?: Readonly<Record<string, string>>
  outcome?: Report['outcome']
  /** It raises the difficulty of later challenges, until about then. */
  raises?: { what: string; until: number }
}

/** The events of an intent and its decision, in order. */
export function eventsOf(trace: Trace): TimelineEvent[] {
  const { intent, exemption, refusals, decision } = trace
  const events: TimelineEvent[] = [
    {
      key: 'intent',
      at: intent.createdAt,
      title: 'Intent opened',
      tone: 'plain',
      facts: intent.kept
        ? [
            exemption ? 'The backend sent a grant, so the challenge was skipped.' : 'Opened by the backend.',
            sessionWords(intent),
          ]
        : ['Details of an intent are deleted after 26 hours.'],
    },
    ...refusals.map(({ requestId, at, endpoint, code, field, hostname }): TimelineEvent => {
      const wire = code === 'bad-field' ? 'bad-request' : code
      const what = [wire, field === '*' ? 'unknown field' : field, hostname].filter((part) => part !== null).join(' · ')
      return {
        key: requestId,
        at,
        title: `${endpoint} refused`,
        tone: 'block',
        facts: [what],
        ids: { Request: requestId },
      }
    }),
    ...(decision ? decisionEvents(decision, exemption !== null) : []),
  ]
  return events.toSorted((a, b) => a.at - b.at)
}

function decisionEvents(
  { challenge, redeemedAt, chargedTo, feedback, mark, grant }: Decision,
  exempted: boolean,
): TimelineEvent[] {
  const solved: TimelineEvent[] = challenge
    ? [
        {
          key: 'challenge',
          at: challenge.challengedAt,
          title: 'Challenge started',
          tone: 'plain',
          facts: [`${whole(challenge.work)} hashes expected. ${why(challenge)}`],
        },
        {
          key: 'solve',
          at: challenge.solvedAt,
          title: 'Challenge solved',
          tone: 'pass',
          facts: [
            `${KINDS[challenge.reasons.kind]} in ${duration((challenge.solvedAt - challenge.challengedAt) * 1000)}${challenge.mobile === null ? '' : challenge.mobile ? ', on a phone or tablet' : ', on a computer'}.`,
          ],
        },
      ]
    : []
  return [
    ...solved,
    {
      key: 'redemption',
      at: redeemedAt,
      title: 'Token redeemed',
      tone: 'pass',
      facts: [exempted || !challenge ? 'Passed without a challenge.' : 'Passed.'],
    },
    { key: 'charge', at: redeemedAt, title: 'Charged', tone: 'plain', facts: [CHARGES[chargedTo]] },
    ...feedback.map(
      ({ eventId, revision, outcome, businessType, occurredAt, receivedAt, supersedes }, at): TimelineEvent => ({
        key: eventId,
        at: receivedAt,
        title: revision === 1 ? 'Feedback received' : `Feedback corrected, revision ${revision}`,
        tone: 'plain',
        outcome,
        facts: [
          `${businessWords(businessType) ?? `Business type \`${businessType}\``}, occurred ${sinceWords(occurredAt - redeemedAt)} the redemption.`,
          ...(mark ? endWords(feedback, at, mark) : []),
        ],
        ...(mark && raisesStill(feedback, at) && { raises: { what: markedWords(mark), until: mark.raisesUntil } }),
        ...replacedBy(supersedes, feedback),
        ids: { Event: eventId },
      }),
    ),
    ...(grant
      ? [
          {
            key: grant.id,
            at: grant.createdAt,
            title: challenge ? 'Grant issued' : 'Grant renewed',
            tone: 'plain',
            facts: [
              `For ${elapsed(Math.ceil(grant.expiresAt - grant.createdAt))} and ${counted(grant.uses, 'use')}; ${grant.used} of them used.`,
            ],
          } satisfies TimelineEvent,
          ...grant.changes.map(
            ({ what, at }): TimelineEvent => ({
              key: `${what} ${at}`,
              at,
              title: `Grant ${what}`,
              tone: what === 'revoked' ? 'block' : 'plain',
              facts: [],
            }),
          ),
        ]
      : []),
  ]
}

const CHARGES = {
  quota: 'One unit from the monthly quota.',
  balance: 'One unit from the balance.',
  test: 'Nothing: tests are free, and not counted.',
} as const satisfies Record<Decision['chargedTo'], string>

const markedWords = ({ network, subject }: Mark): string =>
  [network && 'network', subject && 'subject'].filter(Boolean).join(' and ') || 'network range'

/** When the report with this event id was received. */
function replacedBy(supersedes: string | null, feedback: readonly Report[]): Pick<TimelineEvent, 'replaces'> {
  const replaced = feedback.find(({ eventId }) => eventId === supersedes)
  return replaced ? { replaces: replaced.receivedAt } : {}
}

const isAbuse = (event: Report | undefined): boolean => event?.outcome === 'confirmed_abuse'

/** Whether this event reported abuse that nothing has taken back since. */
const raisesStill = (feedback: readonly Report[], at: number): boolean =>
  !isAbuse(feedback[at - 1]) && feedback.slice(at).every(isAbuse)

/** What an event that ended the effect of reported abuse says, and the report whose effect ended. */
function endWords(feedback: readonly Report[], at: number, mark: Mark): string[] {
  const [was, is] = [isAbuse(feedback[at - 1]), isAbuse(feedback[at])]
  if (was && !is) return [`Taken back: the difficulty for this ${markedWords(mark)} is no longer raised.`]
  if (is && !was && !raisesStill(feedback, at))
    return [`Raised the difficulty for this ${markedWords(mark)} until it was taken back.`]
  return []
}

const sessionWords = ({ session, subject }: Trace['intent']): string =>
  session === null && subject === null
    ? 'No session and no subject were sent.'
    : `Sent with ${[session === null ? '' : `the session ${session}…`, subject === null ? '' : `the subject ${subject}…`].filter(Boolean).join(' and ')}`

/** The kind of a solved challenge. */
const KINDS = {
  'pow-sha256': 'Solved SHA-256',
  'pow-hashwx': 'Solved HashWX',
} as const satisfies Record<Reasons['kind'], string>

const MODES = {
  adaptive: 'Site default',
  fixed: 'Fixed difficulty',
  attack: 'The site is in attack mode: maximum difficulty',
  test: 'Test key',
} as const satisfies Record<Reasons['mode'], string>

/** By tier (server/captcha/challenges/networks/tiers.ts). */
const NETWORKS = [
  'network',
  'IPv6 /56',
  'network range (an IPv4 /24 or IPv6 /48)',
  'provider (an IPv6 /32)',
  'hosting provider',
]

const HINTS = {
  automation: 'it names an automation tool',
  webdriver: 'a program drives the browser',
  headers: 'a header that this browser sends is missing',
  speed: 'its network solved faster than browsers can',
  idle: 'nobody used the page',
  honeypot: 'a hidden field was filled in',
} as const satisfies Record<Reasons['hints'][number], string>

const words = (hints: Reasons['hints']): string => hints.map((hint) => HINTS[hint]).join(', ')

const CAUSES: Record<Cause, (reasons: Reasons) => string> = {
  network: ({ tier }) => `a busy ${NETWORKS[tier]}`,
  subject: () => 'a busy subject',
  site: () => 'a traffic spike at the site',
  feedback: () => 'abuse that was reported for the network or subject',
  list: () => 'a network on a list',
  hints: ({ hints }) => `signs of automation: ${words(hints)}`,
  fallback: () => 'a browser without WebAssembly',
}

/** Explains the difficulty of a challenge. */
export function why({ reasons, causes }: Pick<Challenge, 'reasons' | 'causes'>): string {
  const raised = causes.map(({ cause, times }) => `×${times} for ${CAUSES[cause](reasons)}`)
  const sentence = raised.length === 0 ? MODES[reasons.mode] : `${MODES[reasons.mode]}, raised ${raised.join(', ')}`
  const allowed = reasons.list === 'allow' ? ' The network is on an allow list: being busy costs it nothing.' : ''
  return `${sentence}${reasons.bounded ? ', limited to the maximum' : ''}.${allowed}${noticed(reasons, causes)}`
}

/** Signs of automation that did not raise the difficulty: in a mode that ignores them, or noticed with the solution. */
function noticed(reasons: Reasons, causes: Challenge['causes']): string {
  const early = causes.some(({ cause }) => cause === 'hints') ? [] : reasons.hints
  const parts = [
    early.length > 0 && ` Noticed, without effect: ${words(early)}.`,
    reasons.noticed.length > 0 && ` Noticed with the solution: ${words(reasons.noticed)}.`,
  ]
  return parts.filter(Boolean).join('')
}

/** The time between two events: `1.8 s later`; under a millisecond, `immediately`. */
export function gap(from: number, to: number): string {
  const seconds = to - from
  if (seconds < 0.001) return 'immediately'
  if (seconds < 60) return `${duration(seconds * 1000)} later`
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${Math.floor(seconds % 60)} s later`
  return `${elapsed(seconds)} later`
}

const sinceWords = (seconds: number): string => (seconds < 1 ? 'right after' : `${elapsed(seconds)} after`)
