// The filters of each list, for the console's addresses and forms, the procedures, the exports and what reads the rows. All that
// are given must match; a reader without a condition for one does not compile.
import * as z from 'zod/mini'
import { hasAtMost, isStorable } from './names.ts'

/** A text of at most `most` characters that PostgreSQL can store. */
const text = (most: number) => z.string().check(z.refine((value) => hasAtMost(most, value) && isStorable(value)))

/** All of a hostname or an action, of up to 253 characters, between two asterisks. An asterisk stands for any text; case is ignored. */
const pattern = text(255)

/** A whole number, also as digits in a URL. */
export const count = (most: number) =>
  z.union([
    z.int().check(z.gte(0), z.lte(most)),
    z.pipe(z.pipe(z.string().check(z.regex(/^\d{1,16}$/)), z.transform(Number)), z.int().check(z.lte(most))),
  ])

const filters = <Shape extends z.core.$ZodShape>(shape: Shape) => z.partial(z.object(shape))

export const OUTCOMES = ['confirmed_abuse', 'legitimate', 'unknown'] as const

export const decisionFilters = filters({
  site: z.uuid(),
  action: pattern,
  hostname: pattern,
  /** Of the latest feedback; `none`: without feedback. */
  outcome: z.enum([...OUTCOMES, 'none']),
  way: z.enum(['solved', 'exempted']),
  device: z.enum(['mobile', 'desktop']),
  paid: z.enum(['quota', 'balance', 'test']),
  /** Minimum solve time in milliseconds. */
  slow: count(3_600_000),
  /** The causes of a higher difficulty. */
  raised: z.enum(['any', 'network', 'subject', 'site', 'feedback', 'list', 'hints', 'fallback']),
})
export type DecisionFilters = z.infer<typeof decisionFilters>

export const feedbackFilters = filters({
  site: z.uuid(),
  outcome: z.enum(OUTCOMES),
  /** The business type: the merchant's own value. */
  type: text(64),
  /** Of the decision. */
  action: text(64),
})
export type FeedbackFilters = z.infer<typeof feedbackFilters>

export const grantFilters = filters({
  /** `active`: it can still be used. Otherwise why it ended: revoked, used up or expired. */
  state: z.enum(['active', 'used', 'expired', 'revoked']),
  site: z.uuid(),
  /** Its first hex digits, or all 64. */
  session: z.string().check(z.regex(/^[0-9a-f]{8,64}$/)),
})
export type GrantFilters = z.infer<typeof grantFilters>
export type GrantState = NonNullable<GrantFilters['state']>

export const refusalFilters = filters({
  request: z.string().check(z.regex(/^req_[0-9a-f]{32}$/)),
  site: z.uuid(),
  endpoint: text(64),
  code: text(64),
  field: text(64),
  hostname: pattern,
  /** The last eight digits of the request's id, which a visitor reads out. */
  reference: z.string().check(z.regex(/^[0-9a-f]{8}$/)),
})
export type RefusalFilters = z.infer<typeof refusalFilters>

/** Text matches anywhere and ignores case. */
export const auditFilters = filters({
  /** Text in the name or the e-mail address. */
  actor: text(200),
  action: text(200),
  target: text(200),
  /** Text in the target, its name, or the values before and after. */
  text: text(200),
})
export type AuditFilters = z.infer<typeof auditFilters>

/** `changes`: all that is not only read, the default; `reads`: views and searches; the others are changes of one kind. */
export const STAFF_AUDIT_KINDS = ['changes', 'units', 'tenants', 'accounts', 'data', 'reads', 'all'] as const
export type StaffAuditKind = (typeof STAFF_AUDIT_KINDS)[number]

/** The same for all tenants. */
export const staffAuditFilters = filters({
  kind: z.enum(STAFF_AUDIT_KINDS),
  /** Text in the name, the e-mail address, or an operator's account. */
  actor: text(200),
  /** Text in the tenant's slug or name, or exactly its id. */
  tenant: text(200),
  /** Text in the code of the action; with commas, any of several. */
  action: text(200),
})
export type StaffAuditFilters = z.infer<typeof staffAuditFilters>

export const tenantFilters = filters({
  /** Words of the name or slug. */
  text: text(200),
  /** Only those that are suspended or have something wrong. */
  attention: z.boolean(),
})
export type TenantFilters = z.infer<typeof tenantFilters>
