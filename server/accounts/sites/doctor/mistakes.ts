import { isHostname } from '../../../contract/names.ts'
import type { Calls, Evidence, RefusedKind } from './evidence.ts'

/** The mistakes that the doctor knows. */
export const MISTAKES = [
  'ended-secret',
  'two-secrets',
  'test-key',
  'never-redeemed',
  'key-per-retry',
  'shared-intent',
  'expired-form',
  'www-host',
  'loopback-host',
  'malformed-host',
  'unlisted-host',
  'plain-session',
  'reused-nonce',
  'no-token',
  'mixed-sites',
  'binding-differs',
  'secret-in-body',
  'milliseconds',
] as const
export type Mistake = (typeof MISTAKES)[number]

/**
 * A mistake with what shows it. `count` and `lastAt` (Unix seconds): the calls that it affected. `hostname`, `allowed`: the
 * host that was used, and the one of the list that it was taken for. `last4`: of the secret. `by`, `from`: the server that used it.
 */
export type Finding = {
  mistake: Mistake
  /** `error`: calls fail, or nothing is protected. `warning`: calls will fail, or a few do. */
  severity: 'error' | 'warning'
  count: number
  lastAt: number | null
  hostname?: string
  allowed?: string
  last4?: string
  currentLast4?: string
  by?: string | null
  from?: string | null
}

/** A secret that was used this recently has to be expected to be in use. */
const IN_USE_SECONDS = 86_400
/** Below this number, an expired intent is a visitor who left the form open. */
const FEW = 5

const total = (kinds: readonly RefusedKind[]): Calls => ({
  count: kinds.reduce((sum, { count }) => sum + count, 0),
  lastAt: kinds.length === 0 ? null : Math.max(...kinds.map(({ lastAt }) => lastAt)),
})

const BACKEND = new Set(['/intents', '/siteverify', '/feedback', '/grants', '/grants/revoke'])
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3})$/
const bare = (hostname: string) => hostname.replace(/^www\./, '')

/** The mistakes that the evidence shows, errors first. `now`: Unix seconds. `testKeyAt`: when a test key was used on the site's hosts. */
export function findMistakes(
  evidence: Evidence,
  { now, testKeyAt }: { now: number; testKeyAt: number | null },
): Finding[] {
  const findings = [
    ...ofSecrets(evidence, now),
    ...ofHosts(evidence),
    ...ofCalls(evidence),
    ...ofFields(evidence),
    ...(testKeyAt === null ? [] : [{ mistake: 'test-key', severity: 'warning', count: 1, lastAt: testKeyAt } as const]),
  ]
  return findings.toSorted((a, b) => Number(b.severity === 'error') - Number(a.severity === 'error'))
}

function ofSecrets({ secrets, refused }: Evidence, now: number): Finding[] {
  const current = secrets.find(({ state }) => state === 'live')
  const known = { currentLast4: current?.last4 ?? '' }
  const ended = secrets.flatMap(({ state, refusedAt, last4, usedBy: by, usedFrom: from }): Finding[] =>
    state !== 'ended' || refusedAt === null
      ? []
      : [
          {
            mistake: 'ended-secret',
            severity: 'error',
            ...known,
            last4,
            by,
            from,
            count: total(refused.filter(({ code }) => code === 'unauthorized')).count || 1,
            lastAt: refusedAt,
          },
        ],
  )
  const older = secrets.flatMap((secret): Finding[] =>
    secret === current || secret.state === 'ended' || secret.usedAt === null || secret.usedAt < now - IN_USE_SECONDS
      ? []
      : [
          {
            mistake: 'two-secrets',
            severity: 'warning',
            ...known,
            last4: secret.last4,
            by: secret.usedBy,
            from: secret.usedFrom,
            count: 1,
            lastAt: secret.usedAt,
          },
        ],
  )
  return [...ended, ...older]
}

/** One finding per host that was refused. */
function ofHosts({ refused, hostnames }: Evidence): Finding[] {
  const hosts = refused.filter(
    ({ code, field }) => code === 'origin-not-allowed' || (code === 'bad-field' && field === 'hostname'),
  )
  // visitors can send any Origin, so theirs count only if they resemble a host of the site
  return [...new Set(hosts.map(({ hostname }) => hostname))].flatMap((hostname): Finding[] => {
    const isListed = hostname !== null && hostnames.includes(hostname)
    // a host that is on the list by now is no longer refused as a field
    const kinds = hosts.filter((kind) => kind.hostname === hostname && !(isListed && kind.code === 'bad-field'))
    if (kinds.length === 0) return []
    const { count, lastAt } = total(kinds)
    const found = (mistake: Mistake, about: Partial<Finding> = {}): Finding[] => [
      { mistake, severity: 'error', count, lastAt, ...about },
    ]
    if (hostname === null || !isHostname(hostname)) return found('malformed-host')
    const allowed = hostnames.find((name) => name !== hostname && bare(name) === bare(hostname))
    if (allowed !== undefined) return found('www-host', { hostname, allowed })
    if (isListed) return []
    const local = hostnames.find((name) => LOOPBACK.test(name))
    if (LOOPBACK.test(hostname))
      return found('loopback-host', { hostname, severity: 'warning', ...(local !== undefined && { allowed: local }) })
    return kinds.some(({ endpoint }) => BACKEND.has(endpoint)) ? found('unlisted-host', { hostname }) : []
  })
}

function ofCalls({ newKeyRetries, sharedIntents, intents, decisions, refused }: Evidence): Finding[] {
  const siteverify = refused.filter(({ endpoint }) => endpoint === '/siteverify')
  const expired = total(siteverify.filter(({ code }) => code === 'intent-expired'))
  const found = (mistake: Mistake, severity: Finding['severity'], calls: Calls, isFound: boolean): Finding[] =>
    isFound ? [{ mistake, severity, ...calls }] : []
  return [
    ...found('never-redeemed', 'error', intents, intents.count > 0 && decisions.count === 0 && siteverify.length === 0),
    ...found('key-per-retry', 'error', newKeyRetries, newKeyRetries.count > 0),
    ...found('shared-intent', 'error', sharedIntents, sharedIntents.count > 0),
    ...found('expired-form', 'warning', expired, expired.count >= FEW),
  ]
}

type Rule = { mistake: Mistake; severity: Finding['severity']; at?: string; code: string; fields?: readonly string[] }

/** Mistakes that a code or an invalid field shows by itself. */
const RULES: readonly Rule[] = [
  { mistake: 'plain-session', severity: 'error', code: 'bad-field', fields: ['session', 'subject'] },
  { mistake: 'reused-nonce', severity: 'error', code: 'nonce-conflict' },
  { mistake: 'no-token', severity: 'warning', at: '/siteverify', code: 'bad-field', fields: ['response'] },
  { mistake: 'mixed-sites', severity: 'error', code: 'bad-field', fields: ['intent_id', 'decision_id'] },
  { mistake: 'binding-differs', severity: 'error', at: '/siteverify', code: 'binding-mismatch' },
  { mistake: 'secret-in-body', severity: 'error', code: 'secret-in-body' },
  { mistake: 'milliseconds', severity: 'error', code: 'bad-field', fields: ['occurred_at'] },
]

function ofFields({ refused }: Evidence): Finding[] {
  return RULES.flatMap(({ mistake, severity, at, code, fields }) => {
    const { count, lastAt } = total(
      refused.filter(
        (kind) =>
          kind.code === code &&
          (at === undefined || kind.endpoint === at) &&
          (fields === undefined || fields.includes(kind.field ?? '')),
      ),
    )
    return count > 0 ? [{ mistake, severity, count, lastAt }] : []
  })
}
