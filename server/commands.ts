import type { OperatorCtx } from './accounts/access.ts'
import { findSiteRow, findTenant } from './accounts/find.ts'
import { addMember } from './accounts/members/add.ts'
import { ROLES } from './accounts/permissions.ts'
import { addBalance } from './accounts/plans/addBalance.ts'
import { setQuota } from './accounts/plans/setQuota.ts'
import { type EnsuredPerson, ensurePerson, welcomePerson } from './accounts/sessions/person.ts'
import { createSite } from './accounts/sites/create.ts'
import { rotateSecret } from './accounts/sites/secrets/rotate.ts'
import { appointStaff } from './accounts/staff/appoint.ts'
import { restoreTenant, suspendTenant } from './accounts/staff/suspend.ts'
import { createTenant } from './accounts/tenants/create.ts'
import { reconcile } from './ledger/quota/reconcile.ts'

/** Wrongly called; the message says how. */
export class UsageError extends Error {}

export type Options = Record<string, string | string[] | boolean | undefined>
type Outcome = { result: Record<string, unknown>; text: string; failed?: boolean }

function text(options: Options, name: string): string {
  const value = options[name]
  if (typeof value !== 'string' || value.trim() === '') throw new UsageError(`--${name} is missing.`)
  return value
}

function units(options: Options, name: string, minimum: number): number {
  const value = text(options, name)
  if (!/^-?\d{1,15}$/.test(value) || Number(value) < minimum)
    throw new UsageError(`--${name} takes a whole number${minimum >= 0 ? ` from ${minimum}` : ''}; it is "${value}".`)
  return Number(value)
}

const named = (options: Options) => (options['name'] === undefined ? {} : { name: text(options, 'name') })

/** The way in of somebody who has no password yet. */
async function welcome(ctx: OperatorCtx, person: EnsuredPerson): Promise<{ url: string | null; told: string[] }> {
  if (!person.locked) return { url: null, told: [] }
  const { link } = await welcomePerson(ctx, person)
  if (link === undefined) return { url: null, told: ['A link to choose a password is on its way to them.'] }
  return { url: link, told: [`Choose a password within an hour, once: ${link}`] }
}

/** What operators can do, by noun and verb; `text` is for people, `result` for programs. */
export const COMMANDS: Record<
  string,
  { options: string[]; run(ctx: OperatorCtx, options: Options): Promise<Outcome> }
> = {
  'tenant create': {
    options: ['name', 'quota', 'slug'],
    async run(ctx, options) {
      const slug = options['slug'] === undefined ? {} : { slug: text(options, 'slug') }
      const tenant = await createTenant(ctx, {
        name: text(options, 'name'),
        quota: units(options, 'quota', 0),
        ...slug,
      })
      return {
        result: { tenant_id: tenant.id, slug: tenant.slug },
        text: `Tenant ${tenant.slug} (${tenant.id}) is made.`,
      }
    },
  },
  'tenant suspend': {
    options: ['tenant', 'reason'],
    async run(ctx, options) {
      const { slug } = await findTenant(ctx, text(options, 'tenant'))
      const { id } = await suspendTenant(ctx, { tenant: slug, confirm: slug, reason: text(options, 'reason') })
      return { result: { tenant_id: id, suspended: true }, text: `${slug} is suspended, everywhere within 10 s.` }
    },
  },
  'tenant restore': {
    options: ['tenant', 'reason'],
    async run(ctx, options) {
      const { id, slug } = await restoreTenant(ctx, {
        tenant: text(options, 'tenant'),
        reason: text(options, 'reason'),
      })
      return { result: { tenant_id: id, suspended: false }, text: `${slug} verifies again, everywhere within 10 s.` }
    },
  },
  'member add': {
    options: ['tenant', 'email', 'role', 'name'],
    async run(ctx, options) {
      const role = ROLES.find((each) => each === (options['role'] ?? 'owner'))
      if (!role) throw new UsageError(`--role takes one of ${ROLES.join(', ')}; it is "${String(options['role'])}".`)
      const tenant = await findTenant(ctx, text(options, 'tenant'))
      const person = await ensurePerson(ctx, { email: text(options, 'email'), ...named(options) })
      await addMember(ctx, { tenantId: tenant.id, person, role })
      const link = await welcome(ctx, person)
      return {
        result: { tenant_id: tenant.id, user_id: person.id, email: person.email, role, link: link.url },
        text: [`${person.email} is a member of ${tenant.slug}: ${role}.`, ...link.told].join('\n'),
      }
    },
  },
  'site create': {
    options: ['tenant', 'name', 'hostname'],
    async run(ctx, options) {
      const hostnames = [options['hostname'] ?? []].flat().filter((value) => typeof value === 'string')
      const [hostname] = hostnames
      if (hostname === undefined)
        throw new UsageError('--hostname is missing: where will the widget stand? For trials: localhost')
      const site = await createSite(ctx, await findTenant(ctx, text(options, 'tenant')), {
        name: text(options, 'name'),
        hostnames,
      })
      return {
        result: { site_id: site.id, sitekey: site.sitekey, secret: site.secret, hostname },
        text: `Site ${site.id} is made.\n  Site key  ${site.sitekey}\n  Secret    ${site.secret}\nThe secret is shown this once. Keep it on your server.`,
      }
    },
  },
  'secret rotate': {
    options: ['site', 'overlap'],
    async run(ctx, options) {
      const site = await findSiteRow(ctx, text(options, 'site'))
      const overlap = options['overlap'] === undefined ? 0 : units(options, 'overlap', 0)
      if (overlap > 30 * 86_400) throw new UsageError('--overlap takes at most 30 days (2592000 seconds).')
      const { secret } = await rotateSecret(ctx, site, overlap)
      return {
        result: { site_id: site.id, sitekey: site.sitekey, secret },
        text: `  Secret    ${secret}\nThe secret is shown this once. The former ones end ${overlap === 0 ? 'now (everywhere within 10 s)' : `in ${overlap} s`}.`,
      }
    },
  },
  'quota set': {
    options: ['tenant', 'units'],
    async run(ctx, options) {
      const tenant = await findTenant(ctx, text(options, 'tenant'))
      const { included, used } = await setQuota(ctx, tenant, units(options, 'units', 0))
      return {
        result: { tenant_id: tenant.id, included, used },
        text: `${tenant.slug}: ${included} units a month, ${used} used this month.`,
      }
    },
  },
  'balance add': {
    options: ['tenant', 'units', 'reason'],
    async run(ctx, options) {
      const tenant = await findTenant(ctx, text(options, 'tenant'))
      const reason = options['reason'] === undefined ? 'command line' : text(options, 'reason')
      const { balance } = await addBalance(ctx, tenant, { units: units(options, 'units', -(10 ** 15)), reason })
      return { result: { tenant_id: tenant.id, balance }, text: `${tenant.slug}: the balance is ${balance} units.` }
    },
  },
  'staff create': {
    options: ['email', 'level', 'name'],
    async run(ctx, options) {
      const level = options['level'] ?? 'support'
      if (level !== 'support' && level !== 'lead')
        throw new UsageError(`--level takes support or lead; it is "${String(level)}".`)
      const person = await appointStaff(ctx, { email: text(options, 'email'), level, ...named(options) })
      const link = await welcome(ctx, person)
      return {
        result: { user_id: person.id, email: person.email, level, created: person.created, link: link.url },
        text: [`${person.email} is staff: ${level}.`, ...link.told].join('\n'),
      }
    },
  },
  reconcile: {
    options: [],
    async run(ctx) {
      const { tenants, decisions, mismatches } = await reconcile(ctx)
      const text =
        mismatches.length === 0
          ? `All charges match. Decisions: ${decisions}, tenants: ${tenants}.`
          : mismatches
              .map(
                (m) =>
                  `Tenant ${m.tenant_id}, ${m.kind}${m.month === null ? '' : ` of ${m.month.slice(0, 7)}`}: ${m.charged}, but the decisions say ${m.expected}.`,
              )
              .join('\n')
      return {
        result: { ok: mismatches.length === 0, tenants, decisions, mismatches },
        text,
        failed: mismatches.length > 0,
      }
    },
  },
}
