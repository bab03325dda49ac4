import * as z from 'zod/mini'
import { ACTION } from './names.ts'

/** Expected hashes of a challenge: from almost none to 12 s on a slow phone, which is also the maximum after raising. */
export const WORK_BOUNDS = { min: 1024, max: 6_291_456 } as const

/** The most that is asked in attack mode of busy networks, or of SHA-256 in place of HashWX: 38 s on a slow phone. */
export const MOST_WORK_BOUND = 3 * WORK_BOUNDS.max

/**
 * What SHA-256 in place of HashWX costs more, beyond the deployment's budget for it: so much that it is never cheaper than HashWX
 * (assurance/bench/attack/price compares it with the measured rates).
 */
export const FALLBACK_TIMES = 12

/** Actions of a site that can have a difficulty of their own. */
export const MOST_ACTIONS = 20

type Words = { label: string; hint?: string }
/** Part of the form, and of the table in the documentation. */
type Group = 'challenge' | 'limits' | 'grants'
/** The value of another field that makes this one ineffective, and the sentence for it. */
type Idle = { field: string; value: unknown; sentence: string }
type Field = Words & { group: Group; idle?: Idle }

/** A whole number. The message of its bounds is shown in the form. */
function number<F extends Field & { min: number; max: number; default: number; unit?: string }>(field: F) {
  const message = `A whole number from ${field.min.toLocaleString('en')} to ${field.max.toLocaleString('en')}.`
  const schema = z.int(message).check(z.gte(field.min, message), z.lte(field.max, message))
  return { kind: 'number', schema, ...field } as const
}

const flag = <F extends Field & { default: boolean }>(field: F) =>
  ({ kind: 'flag', schema: z.boolean(), ...field }) as const

function choice<K extends string>(field: Field & { options: Record<K, Required<Words>>; default: NoInfer<K> }) {
  return { kind: 'choice', schema: z.enum(Object.keys(field.options) as K[]), ...field } as const
}

const GRANTS_OFF: Idle = { field: 'grantsEnabled', value: false, sentence: 'No effect while grants are off.' }

const workMode = choice({
  group: 'challenge',
  label: 'Mode',
  default: 'adaptive',
  options: {
    adaptive: {
      label: 'Adaptive',
      hint: 'The base difficulty, raised for busy networks and subjects and for signs of automation, and for everyone during traffic spikes.',
    },
    fixed: { label: 'Fixed', hint: 'The base difficulty for everyone, always.' },
    attack: {
      label: 'Permanent attack mode',
      hint: 'Maximum difficulty for everyone. Slow on phones – turn it off afterwards.',
    },
  },
})

const baseWork = number({
  group: 'challenge',
  label: 'Base difficulty',
  unit: 'Expected hashes of SHA-256',
  ...WORK_BOUNDS,
  default: 1_048_576,
  idle: { field: 'workMode', value: 'attack', sentence: 'No effect under attack.' },
})

/** The difficulty of one action, instead of the site's. */
const actionPolicy = z.object({
  action: z.string().check(z.trim(), z.regex(ACTION, '1 to 64 letters, digits, _ or -.')),
  baseWork: baseWork.schema,
  workMode: workMode.schema,
})

/** Each action once. */
const actionPolicies = z.array(actionPolicy).check(
  z.maxLength(MOST_ACTIONS, `At most ${MOST_ACTIONS} actions.`),
  z.superRefine((actions, context) => {
    for (const [at, { action }] of actions.entries())
      if (actions.findIndex((other) => other.action === action) < at)
        context.addIssue({ code: 'custom', message: 'This action is listed already.', path: [at, 'action'] })
  }),
)

/**
 * Every field of a site's policy: its values, its default, and its words. The form of the console, its validation on the server,
 * the columns of the table `site`, what the verification path reads, the command line and the documentation follow from it.
 */
export const POLICY = {
  workMode,
  /**
   * SHA-256, HashWX (browsers that cannot solve it get SHA-256 at FALLBACK_TIMES the difficulty), or HashWX where the browser can
   * and SHA-256 where it cannot: at the same difficulty within the deployment's budget.
   */
  challengeKind: choice({
    group: 'challenge',
    label: 'Kind of challenge',
    default: 'auto',
    options: {
      sha256: {
        label: 'SHA-256',
        hint: 'Works in every browser. Graphics cards compute it far faster than browsers do.',
      },
      auto: {
        label: 'HashWX where possible',
        hint: 'HashWX, which graphics cards compute hardly faster than browsers. Browsers without WebAssembly get SHA-256: equally hard for up to 2% of all visitors of this service, 12 times as hard beyond that.',
      },
      hashwx: {
        label: 'HashWX',
        hint: 'As above, but SHA-256 is always 12 times as hard. Visitors without WebAssembly wait long.',
      },
    },
  }),
  refuseAutomation: flag({
    group: 'challenge',
    label: 'Refuse declared automation',
    hint: 'Clients that name an automation tool, and browsers that say a program drives them, get 429 instead of a harder challenge. This includes your own browser tests.',
    default: false,
  }),
  baseWork,
  actions: {
    kind: 'actions',
    schema: actionPolicies,
    group: 'challenge',
    label: 'Difficulty by action',
    hint: `For actions that need another difficulty than the rest, such as a sign-up. At most ${MOST_ACTIONS}.`,
    default: [],
  },
  ratePerSecond: number({
    group: 'limits',
    label: 'Calls per second',
    hint: 'For each backend endpoint. The limit of the tenant applies too.',
    min: 1,
    max: 200,
    default: 200,
  }),
  rateBurst: number({
    group: 'limits',
    label: 'Burst',
    hint: 'Calls allowed at the same time.',
    min: 1,
    max: 400,
    default: 400,
  }),
  subjectLimit: number({
    group: 'limits',
    label: 'Intents per subject',
    hint: 'In 10 minutes, for one account, address or card.',
    min: 1,
    max: 1000,
    default: 20,
  }),
  networkLimit: number({
    group: 'limits',
    label: 'Invalid requests',
    hint: 'Per minute from one IPv4 address or IPv6 /64: unknown intents and wrong solutions. Other visitors are not affected.',
    min: 1,
    max: 6000,
    default: 60,
  }),
  grantsEnabled: flag({
    group: 'grants',
    label: 'Allow grants',
    hint: 'Turning this off ends all active grants.',
    default: true,
  }),
  grantMaxTtl: number({
    group: 'grants',
    label: 'Max lifetime',
    unit: 'Seconds',
    min: 60,
    max: 3600,
    default: 3600,
    idle: GRANTS_OFF,
  }),
  grantMaxUses: number({ group: 'grants', label: 'Max uses', min: 1, max: 10, default: 10, idle: GRANTS_OFF }),
  grantRenewal: number({
    group: 'grants',
    label: 'Renewal',
    unit: 'Seconds',
    hint: 'After a session’s last solved challenge, in which it can renew its grant. 0 forbids renewal.',
    min: 0,
    max: 86_400,
    default: 86_400,
    idle: GRANTS_OFF,
  }),
} as const satisfies Record<string, Field & { kind: string; schema: z.ZodMiniType; default: unknown }>

type Shape = { [F in keyof typeof POLICY]: (typeof POLICY)[F]['schema'] }

/** A value for each field of the policy. */
export const eachPolicyField = <Out>(of: (field: (typeof POLICY)[PolicyField], name: PolicyField) => Out) =>
  Object.fromEntries(Object.entries(POLICY).map(([name, field]) => [name, of(field, name as PolicyField)])) as Record<
    PolicyField,
    Out
  >

/** The levels that the console offers: a base difficulty in adaptive mode. */
export const LEVELS = {
  easy: { label: 'Easy', baseWork: baseWork.default / 4 },
  standard: { label: 'Standard', baseWork: baseWork.default },
  strict: { label: 'Strict', baseWork: baseWork.default * 4 },
} as const

/** Hashes per second of a slow phone. */
export const SLOW_PHONE = 500_000

/**
 * The seconds before which no solution of a raised challenge is accepted: what a slow phone needs for what exceeds the standard
 * difficulty. The same for every base: with a higher base no visitor may wait less.
 */
export const minimumAge = (work: number): number =>
  Math.floor(Math.max(0, work - LEVELS.standard.baseWork) / SLOW_PHONE)

/** A site's policy, as the console edits it. The form and the server validate it with the same schema. */
export const sitePolicy = z.object(eachPolicyField(({ schema }) => schema) as Shape)
export type SitePolicy = z.infer<typeof sitePolicy>
export type PolicyField = keyof typeof POLICY
export type ChallengeKind = SitePolicy['challengeKind']

/** The policy of a new site. */
export const DEFAULT_POLICY = eachPolicyField<unknown>((field) => field.default) as SitePolicy

/** How hard the challenges of a site are. */
export const siteDifficulty = z.pick(sitePolicy, { baseWork: true, workMode: true, challengeKind: true, actions: true })
export type SiteDifficulty = z.infer<typeof siteDifficulty>

/** A field's unit, bounds, default and meaning: `Seconds, 60 to 3,600; 3,600 by default.` */
export function describePolicyField(name: PolicyField): string {
  const field: Partial<Parameters<typeof number>[0]> = POLICY[name] as object
  if (field.min === undefined || field.max === undefined) return field.hint ?? ''
  const bounds = [field.min, field.max].map((bound) => bound.toLocaleString('en')).join(' to ')
  const range = `${bounds}; ${field.default?.toLocaleString('en')} by default.`
  return [field.unit === undefined ? range : `${field.unit}, ${range}`, ...(field.hint ? [field.hint] : [])].join(' ')
}

/** A value of a field, as a person reads it. */
export function wordPolicyValue(name: PolicyField, value: unknown): string {
  const field = POLICY[name]
  if (field.kind === 'choice') {
    const options: Record<string, Words> = field.options
    return options[String(value)]?.label ?? String(value)
  }
  if (field.kind === 'flag') return value ? 'on' : 'off'
  return typeof value === 'number' ? value.toLocaleString('en') : String((value as readonly unknown[]).length)
}
