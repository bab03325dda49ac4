import { UNAUTHENTICATED } from '../../../contract/mistakes/errors.ts'
import type { IntegrationCode } from '../../../contract/mistakes/integration.ts'
import { BACKEND_ENDPOINTS, isHostname } from '../../../contract/names.ts'
import type { Calls, Evidence, RefusedKind } from './evidence.ts'

/**
 * A mistake with what shows it. `count` and `lastAt` (Unix seconds): the calls that it affected. `hostname`, `allowed`: the
 * host that was used, and the one of the list that it was taken for. `sent`: the backend sent that host. `last4`: of the secret.
 * `by`, `from`: the server that used it.
 */
export type Finding = {
  mistake: IntegrationCode
  /**
   * `error`: calls fail, or nothing is protected. `warning`: calls will fail, or a few do; or anyone could have made the calls, so
   * that they must not fail a merchant's build.
   */
  severity: 'error' | 'warning'
  count: number
  lastAt: number | null
  /** How many of the calls were made in the last 24 hours, if that is known. */
  daily?: number
  hostname?: string
  allowed?: string
  sent?: boolean
  last4?: string
  currentLast4?: string
  /** When the secret ended, in Unix seconds. */
  endedAt?: number
  by?: string | null
  from?: string | null
}

/** A secret that was used this recently has to be expected to be in use. */
const IN_USE_SECONDS = 86_400
/** Below this number, an expired intent is a visitor who left the form open. */
const FEW = 5
/** From this share of the calls on, refusals that visitors can cause are taken for a mistake of the integration. */
const SHARE = 0.1

const isUsual = ({ count }: Calls, { decisions }: Evidence) => count >= SHARE * (count + decisions.count)

const total = (kinds: readonly RefusedKind[]): Calls => ({
  count: kinds.reduce((sum, { count }) => sum + count, 0),
  lastAt: kinds.length === 0 ? null : Math.max(...kinds.map(({ lastAt }) => lastAt)),
})

/** The endpoints that only a holder of a secret can call. */
const BACKEND = new Set<string>(BACKEND_ENDPOINTS)
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
  const ended = secrets.flatMap(({ state, endsAt, refusedAt, last4, usedBy: by, usedFrom: from }): Finding[] => {
    const sent = refused.filter(({ code }) => code === 'unauthorized')
    return state !== 'ended' || refusedAt === null
      ? []
      : [
          {
            mistake: 'ended-secret',
            severity: 'error',
            ...known,
            last4,
            by,
            from,
            ...(endsAt !== null && { endedAt: endsAt }),
            count: total(sent).count || 1,
            daily: sent.reduce((sum, { daily }) => sum + daily, 0),
            lastAt: refusedAt,
          },
        ]
  })
  const older = secrets.flatMap((secret): Finding[] =>
    secret === current ||
    secret.state === 'ended' ||
    secret.usedAt === null ||
    // every server used it before the rotation
    secret.usedAt < Math.max(now - IN_USE_SECONDS, current?.createdAt ?? 0)
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
            lastAt: Math.floor(secret.usedAt),
          },
        ],
  )
  return [...ended, ...older]
}

/** One finding per host that was refused, and one for requests without a usable Origin. */
function ofHosts(evidence: Evidence): Finding[] {
  const { refused, hostnames } = evidence
  const hosts = refused.filter(
    ({ code, field }) => code === 'origin-not-allowed' || (code === 'bad-field' && field === 'hostname'),
  )
  // visitors can send any Origin or none: theirs counts only if it resembles a host of the site, and as a warning
  return [...new Set(hosts.map(({ hostname }) => hostname))].flatMap((hostname): Finding[] => {
    const isListed = hostname !== null && hostnames.includes(hostname)
    // a host that is on the list by now is no longer refused as a field
    const kinds = hosts.filter((kind) => kind.hostname === hostname && !(isListed && kind.code === 'bad-field'))
    if (kinds.length === 0) return []
    const own = kinds.filter(({ endpoint }) => BACKEND.has(endpoint))
    const sent = own.length > 0
    const found = (mistake: IntegrationCode, about: Partial<Finding> = {}): Finding[] => [
      { mistake, severity: sent ? 'error' : 'warning', ...total(kinds), ...about },
    ]
    if (hostname === null || !isHostname(hostname)) {
      const without = total(kinds.filter((kind) => !own.includes(kind)))
      return [
        ...(sent ? found('malformed-host', total(own)) : []),
        ...(without.count > 0 && isUsual(without, evidence)
          ? found('missing-origin', { severity: 'warning', ...without })
          : []),
      ]
    }
    const allowed = hostnames.find((name) => name !== hostname && bare(name) === bare(hostname))
    if (allowed !== undefined) return found('www-host', { hostname, allowed, sent })
    if (isListed) return []
    const local = hostnames.find((name) => LOOPBACK.test(name))
    if (LOOPBACK.test(hostname))
      return found('loopback-host', {
        hostname,
        sent,
        severity: 'warning',
        ...(local !== undefined && { allowed: local }),
      })
    return sent ? found('unlisted-host', { hostname, sent }) : []
  })
}

function ofCalls({ newKeyRetries, sharedIntents, intents, decisions, refused }: Evidence): Finding[] {
  const siteverify = refused.filter((kind) => kind.endpoint === '/siteverify' && !isStranger(kind))
  const expired = total(siteverify.filter(({ code }) => code === 'intent-expired'))
  const found = (mistake: IntegrationCode, severity: Finding['severity'], calls: Calls, isFound: boolean): Finding[] =>
    isFound ? [{ mistake, severity, ...calls }] : []
  return [
    ...found('never-redeemed', 'error', intents, intents.count > 0 && decisions.count === 0 && siteverify.length === 0),
    ...found('key-per-retry', 'error', newKeyRetries, newKeyRetries.count > 0),
    // a visitor who reloads an old page looks the same
    ...found('shared-intent', 'warning', sharedIntents, sharedIntents.count > 0),
    ...found('expired-form', 'warning', expired, expired.count >= FEW),
  ]
}

/** `chosen`: the value can come with the visitor's form, so that single calls are no mistake of the integration. */
type Rule = {
  mistake: IntegrationCode
  severity: Finding['severity']
  at?: string
  code: string
  fields?: readonly string[]
  chosen?: true
}

/** Mistakes that a code or an invalid field shows by itself. */
const RULES: readonly Rule[] = [
  { mistake: 'plain-session', severity: 'error', code: 'bad-field', fields: ['session', 'subject'] },
  { mistake: 'reused-nonce', severity: 'error', code: 'nonce-conflict' },
  { mistake: 'no-token', severity: 'warning', at: '/siteverify', code: 'bad-field', fields: ['response'] },
  { mistake: 'mixed-sites', severity: 'error', code: 'bad-field', fields: ['intent_id', 'decision_id'], chosen: true },
  { mistake: 'binding-differs', severity: 'error', at: '/siteverify', code: 'binding-mismatch', chosen: true },
  { mistake: 'secret-in-body', severity: 'error', code: 'secret-in-body' },
  { mistake: 'milliseconds', severity: 'error', code: 'bad-field', fields: ['occurred_at'] },
]

/** Whether anyone could have made the calls: they had no secret. */
const isStranger = ({ endpoint, field }: Pick<RefusedKind, 'endpoint' | 'field'>) =>
  !BACKEND.has(endpoint) || field === UNAUTHENTICATED

/** Refusals that only the calling server causes, whatever its visitors do. */
const SERVER_CODES = new Set(['unauthorized', 'bad-request', 'bad-field', 'secret-in-body', 'unsupported-media-type'])
/** The fields that a visitor's form fills in. */
const FORM_FIELDS: ReadonlySet<string> = new Set(['response', 'intent_id'])

/** Whether a refusal is a mistake of the merchant's own server: it had a secret, and no visitor could have caused it. */
export const isServerMistake = ({ endpoint, code, field }: Pick<RefusedKind, 'endpoint' | 'code' | 'field'>): boolean =>
  SERVER_CODES.has(code) &&
  !isStranger({ endpoint, field }) &&
  !(endpoint === '/siteverify' && FORM_FIELDS.has(field ?? ''))

function ofFields(evidence: Evidence): Finding[] {
  return RULES.flatMap(({ mistake, severity, at, code, fields, chosen }): Finding[] => {
    const kinds = evidence.refused.filter(
      (kind) =>
        kind.code === code &&
        (at === undefined || kind.endpoint === at) &&
        (fields === undefined || fields.includes(kind.field ?? '')),
    )
    const own = total(kinds.filter((kind) => !isStranger(kind)))
    if (own.count > 0) return [{ mistake, severity: chosen && !isUsual(own, evidence) ? 'warning' : severity, ...own }]
    const others = total(kinds)
    return others.count > 0 && isUsual(others, evidence) ? [{ mistake, severity: 'warning', ...others }] : []
  })
}
