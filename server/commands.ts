import type { OperatorCtx } from './accounts/access.ts'
import { findSiteRow, findTenant } from './accounts/find.ts'
import { addMember } from './accounts/members/add.ts'
import { erasePerson } from './accounts/people/erase.ts'
import { eraseVisitor } from './accounts/people/eraseVisitor.ts'
import { exportPerson } from './accounts/people/export.ts'
import { addBalance } from './accounts/plans/addBalance.ts'
import { setQuota } from './accounts/plans/setQuota.ts'
import { type EnsuredPerson, ensurePerson, welcomePerson } from './accounts/sessions/person.ts'
import { createSite } from './accounts/sites/create.ts'
import { rotateSecret } from './accounts/sites/secrets/rotate.ts'
import { appointStaff } from './accounts/staff/appoint.ts'
import { restoreTenant, suspendTenant } from './accounts/staff/suspend.ts'
import { createTenant } from './accounts/tenants/create.ts'
import { ROLES } from './contract/permissions.ts'
import { verifyAudit } from './ledger/audit/verify.ts'
import { reconcile } from './ledger/quota/reconcile.ts'

/** Invalid command or options. The message says what is wrong. */
export class UsageError extends Error {}

export type Options = Record<string, string | string[] | boolean | undefined>
/** `value`: the name of the option's value in the usage. */
export type Option = { value: string; about: string; optional?: true; multiple?: true }
export type Command = {
  about: string
  options: Record<string, Option>
  run(ctx: OperatorCtx, options: Options): Promise<Outcome>
}
type Outcome = { result: Record<string, unknown>; text: string; failed?: boolean }

function text(options: Options, name: string): string {
  const value = options[name]
  if (typeof value !== 'string' || value.trim() === '') throw new UsageError(`--${name} is missing.`)
  return value
}

function units(options: Options, name: string, minimum: number): number {
  const value = text(options, name)
  if (!/^-?\d{1,15}$/.test(value) || Number(value) < minimum)
    throw new UsageError(
      `--${name} must be a whole number${minimum >= 0 ? ` of at least ${minimum}` : ''}, not "${value}".`,
    )
  return Number(value)
}

const named = (options: Options) => (options['name'] === undefined ? {} : { name: text(options, 'name') })

const TENANT: Option = { value: 'TENANT', about: 'id or slug of the tenant' }
const EMAIL: Option = { value: 'EMAIL', about: 'the address with which the person signs in' }
const PERSON: Option = { value: 'NAME', about: 'name of the person, if the account is new', optional: true }
const REASON: Option = { value: 'TEXT', about: 'why; the audit log shows it' }

/** For a person without a password: sends a link to choose one, or returns it to be printed. */
async function welcome(ctx: OperatorCtx, person: EnsuredPerson): Promise<{ url: string | null; lines: string[] }> {
  if (!person.locked) return { url: null, lines: [] }
  const { link } = await welcomePerson(ctx, person)
  if (link === undefined) return { url: null, lines: ['An e-mail with a link to choose a password has been sent.'] }
  return { url: link, lines: [`Choose a password within one hour (the link works once): ${link}`] }
}

/** The commands of operators, by noun and verb. `text` is for people, `result` for programs. */
export const COMMANDS: Record<string, Command> = {
  'tenant create': {
    about: 'Creates a tenant.',
    options: {
      name: { value: 'NAME', about: 'name of the tenant' },
      quota: { value: 'UNITS', about: 'units included each month' },
      slug: { value: 'SLUG', about: 'its name in addresses; made from the name by default', optional: true },
    },
    async run(ctx, options) {
      const slug = options['slug'] === undefined ? {} : { slug: text(options, 'slug') }
      const tenant = await createTenant(ctx, {
        name: text(options, 'name'),
        quota: units(options, 'quota', 0),
        ...slug,
      })
      return {
        result: { tenant_id: tenant.id, slug: tenant.slug },
        text: `Created tenant ${tenant.slug} (${tenant.id}).`,
      }
    },
  },
  'tenant suspend': {
    about: 'Refuses all calls of a tenant, on all nodes within 10 s.',
    options: { tenant: TENANT, reason: REASON },
    async run(ctx, options) {
      const { slug } = await findTenant(ctx, text(options, 'tenant'))
      const { id } = await suspendTenant(ctx, { tenant: slug, confirm: slug, reason: text(options, 'reason') })
      return {
        result: { tenant_id: id, suspended: true },
        text: `Suspended ${slug}. All nodes refuse its calls within 10 s.`,
      }
    },
  },
  'tenant restore': {
    about: 'Accepts the calls of a suspended tenant again.',
    options: { tenant: TENANT, reason: REASON },
    async run(ctx, options) {
      const { id, slug } = await restoreTenant(ctx, {
        tenant: text(options, 'tenant'),
        reason: text(options, 'reason'),
      })
      return {
        result: { tenant_id: id, suspended: false },
        text: `Restored ${slug}. All nodes accept its calls within 10 s.`,
      }
    },
  },
  'member add': {
    about: 'Adds a person to a tenant.',
    options: {
      tenant: TENANT,
      email: EMAIL,
      role: { value: 'ROLE', about: `${ROLES.join(', ')}; by default owner`, optional: true },
      name: PERSON,
    },
    async run(ctx, options) {
      const role = ROLES.find((each) => each === (options['role'] ?? 'owner'))
      if (!role) throw new UsageError(`--role must be one of ${ROLES.join(', ')}, not "${String(options['role'])}".`)
      const tenant = await findTenant(ctx, text(options, 'tenant'))
      const person = await ensurePerson(ctx, { email: text(options, 'email'), ...named(options) })
      await addMember(ctx, { tenantId: tenant.id, person, role })
      const link = await welcome(ctx, person)
      return {
        result: { tenant_id: tenant.id, user_id: person.id, email: person.email, role, link: link.url },
        text: [`${person.email} is now ${role} of ${tenant.slug}.`, ...link.lines].join('\n'),
      }
    },
  },
  'site create': {
    about: 'Creates a site and prints its site key and its secret key.',
    options: {
      tenant: TENANT,
      name: { value: 'NAME', about: 'name of the site' },
      hostname: { value: 'HOST', about: 'hostname of a page with the form; repeat it for others', multiple: true },
    },
    async run(ctx, options) {
      const hostnames = [options['hostname'] ?? []].flat().filter((value) => typeof value === 'string')
      const [hostname] = hostnames
      if (hostname === undefined)
        throw new UsageError(
          '--hostname is missing. Give the hostname of the page with the form, such as localhost for a trial.',
        )
      const site = await createSite(ctx, await findTenant(ctx, text(options, 'tenant')), {
        name: text(options, 'name'),
        hostnames,
      })
      return {
        result: { site_id: site.id, sitekey: site.sitekey, secret: site.secret, hostname },
        text: `Created site ${site.id}.\n  Site key  ${site.sitekey}\n  Secret    ${site.secret}\nThe secret is shown only once. Keep it on your server.`,
      }
    },
  },
  'secret rotate': {
    about: 'Creates a secret key, and ends those that the site has.',
    options: {
      site: { value: 'SITE', about: 'id or site key of the site' },
      overlap: { value: 'SECONDS', about: 'how long the old secret keys keep working; by default 0', optional: true },
    },
    async run(ctx, options) {
      const site = await findSiteRow(ctx, text(options, 'site'))
      const overlap = options['overlap'] === undefined ? 0 : units(options, 'overlap', 0)
      if (overlap > 30 * 86_400) throw new UsageError('--overlap must be at most 30 days (2592000 seconds).')
      const { secret } = await rotateSecret(ctx, site, overlap)
      return {
        result: { site_id: site.id, sitekey: site.sitekey, secret },
        text: `  Secret    ${secret}\nThe secret is shown only once. The old secrets stop working ${overlap === 0 ? 'now (on all nodes within 10 s)' : `in ${overlap} s`}.`,
      }
    },
  },
  'quota set': {
    about: 'Sets the units included each month, starting this month.',
    options: { tenant: TENANT, units: { value: 'UNITS', about: 'units included each month' } },
    async run(ctx, options) {
      const tenant = await findTenant(ctx, text(options, 'tenant'))
      const { included, used } = await setQuota(ctx, tenant, units(options, 'units', 0))
      return {
        result: { tenant_id: tenant.id, included, used },
        text: `${tenant.slug}: ${included} units per month, ${used} used this month.`,
      }
    },
  },
  'balance add': {
    about: 'Adds prepaid units to the balance of a tenant.',
    options: {
      tenant: TENANT,
      units: { value: 'UNITS', about: '--units=-5 removes 5' },
      reason: { ...REASON, optional: true },
    },
    async run(ctx, options) {
      const tenant = await findTenant(ctx, text(options, 'tenant'))
      const reason = options['reason'] === undefined ? 'command line' : text(options, 'reason')
      const { balance } = await addBalance(ctx, tenant, { units: units(options, 'units', -(10 ** 15)), reason })
      return { result: { tenant_id: tenant.id, balance }, text: `${tenant.slug}: the balance is now ${balance} units.` }
    },
  },
  'staff create': {
    about: 'Adds a member of staff, or changes their level.',
    options: {
      email: EMAIL,
      level: { value: 'LEVEL', about: 'support or lead; by default support', optional: true },
      name: PERSON,
    },
    async run(ctx, options) {
      const level = options['level'] ?? 'support'
      if (level !== 'support' && level !== 'lead')
        throw new UsageError(`--level must be support or lead, not "${String(level)}".`)
      const person = await appointStaff(ctx, { email: text(options, 'email'), level, ...named(options) })
      const link = await welcome(ctx, person)
      return {
        result: { user_id: person.id, email: person.email, level, created: person.created, link: link.url },
        text: [`${person.email} is now staff (${level}).`, ...link.lines].join('\n'),
      }
    },
  },
  'person export': {
    about: 'Prints everything stored about a person.',
    options: { email: EMAIL },
    async run(ctx, options) {
      const person = await exportPerson(ctx, { email: text(options, 'email') })
      return { result: { person }, text: JSON.stringify(person, null, 2) }
    },
  },
  'person erase': {
    about: 'Deletes everything about a person. Cannot be undone.',
    options: { email: EMAIL },
    async run(ctx, options) {
      const { account, invitations, events } = await erasePerson(ctx, { email: text(options, 'email') })
      return {
        result: { account, invitations, events },
        text: `${account ? 'Deleted the account.' : 'There is no such account.'} Deleted invitations: ${invitations}. Audit events without the address: ${events}.`,
      }
    },
  },
  'visitor erase': {
    about: 'Removes the hash of a session or a subject from a tenant. Cannot be undone.',
    options: {
      tenant: TENANT,
      'session-hash': { value: 'HASH', about: 'the value sent as session', optional: true },
      'subject-hash': { value: 'HASH', about: 'the value sent as subject', optional: true },
    },
    async run(ctx, options) {
      const fields = (['session', 'subject'] as const).filter((field) => options[`${field}-hash`] !== undefined)
      const [field] = fields
      if (field === undefined || fields.length > 1)
        throw new UsageError('Give either --session-hash or --subject-hash.')
      const hash = text(options, `${field}-hash`)
      if (!/^[0-9a-f]{64}$/.test(hash)) throw new UsageError(`--${field}-hash must be 64 lower-case hex digits.`)
      const { intents, grants } = await eraseVisitor(ctx, await findTenant(ctx, text(options, 'tenant')), {
        field,
        hash,
      })
      return { result: { intents, grants }, text: `Removed from intents: ${intents}, from grants: ${grants}.` }
    },
  },
  reconcile: {
    about: 'Compares every charge with its decision, and verifies the hash chains of the audit.',
    options: {},
    async run(ctx) {
      const { tenants, decisions, mismatches } = await reconcile(ctx)
      const { events, heads, faults } = await verifyAudit(ctx)
      const lines = [
        ...(mismatches.length === 0
          ? [`All charges match. Decisions: ${decisions}, tenants: ${tenants}.`]
          : mismatches.map(
              (m) =>
                `Tenant ${m.tenant_id}, ${m.kind}${m.month === null ? '' : ` of ${m.month.slice(0, 7)}`}: charged ${m.charged}, but the decisions add up to ${m.expected}.`,
            )),
        ...(faults.length === 0
          ? [`The audit is complete. Events: ${events}.`]
          : faults.map(
              (f) =>
                `Audit of ${f.tenant_id ?? 'no tenant'}, event ${f.seq}${f.id === null ? '' : ` (${f.id})`}: ${f.kind}.`,
            )),
      ]
      const ok = mismatches.length === 0 && faults.length === 0
      return {
        result: { ok, tenants, decisions, mismatches, audit: { events, heads, faults } },
        text: lines.join('\n'),
        failed: !ok,
      }
    },
  },
}
