import { z } from 'zod'
import { OUTCOMES } from '../contract/filters.ts'
import { networkVerdict } from '../contract/networks.ts'
import { ROLES } from '../contract/permissions.ts'
import { SCOPE_NAMES } from '../contract/scopes.ts'
import { siteDifficulty, sitePolicy } from '../contract/sitePolicy.ts'
import { CHOSEN_TYPES } from '../contract/webhooks.ts'

/** The replies of the operations by procedure, for the reference, in the procedures' names; the matrix holds the replies to them. */

const text = z.string()
const id = z.uuid()
const time = z.number().describe('Unix seconds')
const count = z.number()
const maybe = <T extends z.ZodType>(schema: T) => schema.nullable()
const list = <S extends z.ZodRawShape>(row: z.ZodObject<S>) => z.object({ rows: z.array(row), nextCursor: maybe(text) })
const scanned = <S extends z.ZodRawShape>(row: z.ZodObject<S>) => list(row).extend({ searchedTo: maybe(time) })

const siteRef = z.object({ id, name: maybe(text) })
const outcome = z.enum(OUTCOMES)
const role = z.enum(ROLES)

const site = z.object({
  id,
  name: text,
  slug: text,
  sitekey: text,
  paused: z.boolean(),
  attackUntil: maybe(time),
  hostnames: z.array(text),
  liveSecrets: count,
  createdAt: time,
})
const secret = z.object({ id, secret: text, last4: text })
const shadow = z.object({ difficulty: siteDifficulty, since: time })
const grant = z.object({
  id,
  site: siteRef,
  session: maybe(text),
  state: z.enum(['active', 'used', 'expired', 'revoked']),
  uses: count,
  used: count,
  decisionId: text,
  renewed: z.boolean(),
  createdAt: time,
  expiresAt: time,
  revokedAt: maybe(time),
})
const revision = z.object({
  eventId: text,
  revision: count,
  outcome,
  businessType: text,
  occurredAt: time,
  receivedAt: time,
})
const incident = z.object({
  id,
  kind: text,
  site: siteRef,
  startedAt: time,
  endedAt: maybe(time),
  peak: count,
  usual: count,
  action: maybe(text),
  hostname: maybe(text),
  cause: maybe(z.object({ endpoint: text, code: text, field: maybe(text) })),
  networks: count,
  workFrom: count,
  workTo: count,
  honestWork: count,
})
const member = z.object({
  id,
  userId: id,
  name: text,
  email: text,
  role,
  twoFactorEnabled: z.boolean(),
  self: z.boolean(),
  lastOwner: z.boolean(),
  lastActiveAt: maybe(time),
  neverActive: z.boolean(),
})
const invitation = z.object({ id, email: text, role, inviter: text, createdAt: time, expiresAt: time })
const webhook = z.object({
  id,
  url: text,
  types: z.array(z.enum(CHOSEN_TYPES)),
  enabled: z.boolean(),
  disabled: maybe(z.enum(['failures', 'member'])),
  failingSince: maybe(time),
  createdAt: time,
  formerSecretUntil: maybe(time),
})
const percents = z.object({ rows: z.array(count), nextCursor: z.null() })
const done = z.object({ id })

export const REPLIES: Readonly<Record<string, z.ZodObject>> = {
  'keys.whoami': z.object({
    key: z.object({ id, name: text }),
    tenant: z.object({ id, slug: text, name: text }),
    scopes: z.array(z.enum(SCOPE_NAMES)),
    sites: maybe(z.array(id)).describe('null: all sites'),
    expiresAt: maybe(time),
  }),
  'sites.list': list(site),
  'sites.get': site,
  'sites.create': z.object({ id, slug: text, sitekey: text, secret: text, hostnames: z.array(text) }),
  'sites.rename': site,
  'sites.pause': site,
  'sites.resume': site,
  'sites.delete': done,
  'sites.policy': z.object(sitePolicy.shape),
  'sites.setPolicy': z.object(sitePolicy.shape),
  'sites.setAttackMode': site,
  'sites.shadow': z.object(shadow.partial().shape),
  'sites.setShadow': shadow,
  'sites.discardShadow': z.object({}),
  'hostnames.list': list(z.object({ hostname: text, createdAt: time })),
  'hostnames.add': z.object({ hostname: text, createdAt: time, added: z.boolean() }),
  'hostnames.remove': z.object({ hostname: text }),
  'secrets.list': list(
    z.object({
      id,
      prefix: text,
      last4: text,
      state: z.enum(['live', 'ending', 'ended']),
      createdAt: time,
      lastUsedAt: maybe(time),
      lastCallAt: maybe(time),
      usedBy: maybe(text),
      usedFrom: maybe(text),
      endsAt: maybe(time),
    }),
  ),
  'secrets.issue': secret,
  'secrets.rotate': secret,
  'secrets.revoke': done,
  'networks.list': list(
    z.object({
      id,
      network: text,
      verdict: networkVerdict,
      note: text,
      changedAt: time,
      overriddenBy: z.array(text),
      actor: z.object({ kind: text, name: maybe(text) }),
      yours: z.boolean(),
    }),
  ),
  'networks.add': z.object({ id, network: text }),
  'networks.change': z.object({ id, network: text }),
  'networks.remove': z.object({ network: text, verdict: networkVerdict, note: text }),
  'decisions.list': scanned(
    z.object({
      id,
      decisionId: text,
      site: siteRef,
      action: text,
      hostname: text,
      redeemedAt: time,
      solveMs: maybe(count),
      work: maybe(count),
      device: maybe(z.enum(['mobile', 'desktop'])),
      exempted: z.boolean(),
      chargedTo: z.enum(['quota', 'balance']),
      outcome: maybe(outcome),
    }),
  ),
  'decisions.get': z.looseObject({
    site: siteRef.extend({ deleted: z.boolean() }),
    action: text,
    hostname: text,
    intent: z.looseObject({ id, createdAt: time }),
    refusals: z.array(z.looseObject({ requestId: text, at: time, endpoint: text, code: text })),
    decision: maybe(z.looseObject({ id: text, redeemedAt: time, feedback: z.array(z.looseObject(revision.shape)) })),
  }),
  'refusals.list': list(
    z.object({
      id: text,
      site: siteRef,
      at: time,
      endpoint: text,
      code: text,
      field: maybe(text),
      hostname: maybe(text),
      intentId: maybe(text),
      keyHint: maybe(text),
      status: count,
      error: text,
      cause: text,
      fix: text,
      docs: text,
    }),
  ),
  'incidents.list': list(incident),
  'incidents.get': z.looseObject({
    ...incident.shape,
    step: count.describe('Seconds'),
    points: z.array(z.looseObject({ at: time })),
  }),
  'feedback.list': list(z.object({ id, decisionId: text, site: siteRef, action: text, ...revision.shape })),
  'feedback.history': z.object({
    decisionId: text,
    site: siteRef,
    action: text,
    redeemedAt: time,
    closesAt: time,
    revisions: z.array(revision.extend({ supersedes: maybe(text) })),
  }),
  'feedback.report': z.object({ eventId: text, revision: count, expiresAt: time, latestEvent: text }),
  'grants.list': list(grant),
  'grants.revoke': z.object({ id, grants: z.array(id) }),
  'usage.series': z.looseObject({
    from: time,
    to: time,
    step: count.describe('Seconds'),
    points: z.array(z.looseObject({ at: time })),
  }),
  'usage.bySite': z.object({
    days: z.array(time),
    sites: z.array(
      z.object({ id, name: text, paused: z.boolean(), intents: count, redeemed: z.array(count), refused: count }),
    ),
  }),
  'usage.meter': z.object({
    month: text,
    included: count,
    used: count,
    balance: count,
    forecast: maybe(z.object({ likely: count, low: count, high: count })),
  }),
  'usage.alerts': percents,
  'usage.setAlerts': percents,
  'usage.months': list(z.object({ month: text, included: count, used: count, added: count })),
  'usage.statement': z.looseObject({ month: text, over: z.boolean(), included: count, quota: count, balance: count }),
  'members.list': list(member),
  'members.changeRole': z.object({ id, role }),
  'members.remove': done,
  'members.invitations': list(invitation),
  'members.invite': invitation.extend({ replaced: z.boolean() }),
  'members.revokeInvitation': done,
  'webhooks.list': list(webhook),
  'webhooks.get': webhook,
  'webhooks.create': webhook.extend({ secret: text }),
  'webhooks.update': webhook,
  'webhooks.rotate': webhook.extend({ secret: text }),
  'webhooks.delete': done,
  'webhooks.test': done,
  'webhooks.deliveries': list(
    z.object({
      id,
      event: id.describe('The webhook-id'),
      type: text,
      state: z.enum(['waiting', 'retrying', 'delivered', 'failed']),
      createdAt: time,
      attempts: count,
      nextAt: maybe(time),
      request: z.object({ body: text, timestamp: maybe(time), signature: maybe(text) }),
      reply: maybe(z.object({ status: maybe(count), body: text, milliseconds: count })),
    }),
  ),
  'webhooks.resend': done,
  'audit.list': list(
    z.object({
      id,
      actor: z.object({ kind: text, name: text, email: maybe(text) }),
      action: text,
      target: text,
      targetName: maybe(text),
      before: z.unknown(),
      after: z.unknown(),
      createdAt: time,
    }),
  ),
}
