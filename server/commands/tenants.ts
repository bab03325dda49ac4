import { findSiteRow, findTenant } from '../accounts/find.ts'
import { addBalance } from '../accounts/plans/addBalance.ts'
import { setQuota } from '../accounts/plans/setQuota.ts'
import { createSite } from '../accounts/sites/create.ts'
import { viewPolicy, viewShadow } from '../accounts/sites/policy.ts'
import { OVERLAP_MAX, rotateSecret } from '../accounts/sites/secrets/rotate.ts'
import { restoreTenant, suspendTenant } from '../accounts/staff/suspend.ts'
import { createTenant } from '../accounts/tenants/create.ts'
import {
  type ChallengeKind,
  DEFAULT_POLICY,
  POLICY,
  type PolicyField,
  sitePolicy,
  wordPolicyValue,
} from '../contract/sitePolicy.ts'
import { verifyAudit } from '../ledger/audit/verify.ts'
import { reconcile } from '../ledger/quota/reconcile.ts'
import { type Command, type Options, REASON, SITE, TENANT, text, UsageError, units } from './options.ts'

const KINDS = Object.keys(POLICY.challengeKind.options).join(', ')

function challengeKind(given: Options[string]): { challengeKind?: ChallengeKind } {
  if (given === undefined) return {}
  const { success, data } = sitePolicy.shape.challengeKind.safeParse(given)
  if (!success) throw new UsageError(`--kind must be one of ${KINDS}, not "${String(given)}".`)
  return { challengeKind: data }
}

/** Commands about tenants: their sites, keys and units. */
export const TENANTS: Record<string, Command> = {
  'tenant create': {
    about: 'Creates a tenant.',
    options: {
      name: { value: 'NAME', about: 'name of the tenant' },
      quota: { value: 'UNITS', about: 'the monthly quota' },
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
  'site create': {
    about: 'Creates a site and prints its site key and its secret key.',
    options: {
      tenant: TENANT,
      name: { value: 'NAME', about: 'name of the site' },
      hostname: { value: 'HOST', about: 'hostname of a page with the form; repeat it for others', multiple: true },
      kind: {
        value: 'KIND',
        about: `kind of challenge: ${KINDS}; by default ${DEFAULT_POLICY.challengeKind}`,
        optional: true,
      },
    },
    async run(ctx, options) {
      const hostnames = [options['hostname'] ?? []].flat().filter((value) => typeof value === 'string')
      const [hostname] = hostnames
      if (hostname === undefined)
        throw new UsageError(
          '--hostname is missing. Give the hostname of the page with the form, such as localhost for a trial.',
        )
      const kind = challengeKind(options['kind'])
      const site = await createSite(ctx, await findTenant(ctx, text(options, 'tenant')), {
        name: text(options, 'name'),
        hostnames,
        ...kind,
      })
      return {
        result: { site_id: site.id, sitekey: site.sitekey, secret: site.secret, hostname, hostnames },
        text: `Created site ${site.id}.\n  Site key  ${site.sitekey}\n  Secret    ${site.secret}\nThe secret is shown only once. Keep it on your server.\nNext: ${ctx.config.publicUrl}/docs/quick-start`,
      }
    },
  },
  'site policy': {
    about: 'Prints the policy of a site: difficulty, limits and grants.',
    options: { site: SITE },
    async run(ctx, options) {
      const { id, tenantId } = await findSiteRow(ctx, text(options, 'site'))
      const own = { ...ctx, tenant: { id: tenantId } }
      const [policy, shadow] = [await viewPolicy(own, id), await viewShadow(own, id)]
      const fields = Object.keys(POLICY) as PolicyField[]
      return {
        result: { site_id: id, policy, shadow },
        text: [
          ...fields.map((field) => `  ${POLICY[field].label}: ${wordPolicyValue(field, policy[field])}`),
          ...policy.actions.map(
            ({ action, baseWork, workMode }) => `  Action ${action}: ${baseWork} expected hashes, ${workMode}`,
          ),
          ...(shadow ? ['  A shadow policy is compared with it. With --json it is printed.'] : []),
        ].join('\n'),
      }
    },
  },
  'secret rotate': {
    about: 'Creates a secret key, and ends those that the site has.',
    options: {
      site: SITE,
      overlap: { value: 'SECONDS', about: 'how long the old secret keys keep working; by default 0', optional: true },
    },
    async run(ctx, options) {
      const site = await findSiteRow(ctx, text(options, 'site'))
      const overlap = options['overlap'] === undefined ? 0 : units(options, 'overlap', 0)
      if (overlap > OVERLAP_MAX) throw new UsageError(`--overlap must be at most 30 days (${OVERLAP_MAX} seconds).`)
      const { secret } = await rotateSecret(ctx, site, overlap)
      return {
        result: { site_id: site.id, sitekey: site.sitekey, secret },
        text: `  Secret    ${secret}\nThe secret is shown only once. The old secrets stop working ${overlap === 0 ? 'now (on all nodes within 10 s)' : `in ${overlap} s`}.`,
      }
    },
  },
  'quota set': {
    about: 'Sets the monthly quota, starting this month.',
    options: { tenant: TENANT, units: { value: 'UNITS', about: 'the monthly quota' } },
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
  reconcile: {
    about:
      'Compares the charges with the decisions since the last comparison, or with --full with all, and verifies the hash chains of the audit.',
    options: { full: { about: 'also count what an earlier comparison has counted', optional: true } },
    async run(ctx, options) {
      const { tenants, decisions, mismatches } = await reconcile(ctx, { full: options['full'] === true })
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
