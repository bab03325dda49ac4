import type { OperatorCtx } from '../accounts/access.ts'
import { findSiteRow, findTenant } from '../accounts/find.ts'
import { type Diagnosis, diagnose } from '../accounts/sites/doctor/diagnose.ts'
import { addHostname } from '../accounts/sites/hostnames/add.ts'
import { removeHostname } from '../accounts/sites/hostnames/remove.ts'
import { pauseSite } from '../accounts/sites/update.ts'
import { listSites, type SiteView, viewSite } from '../accounts/sites/view.ts'
import { LANGUAGE_NAMES as LANGUAGES } from '../contract/languages.ts'
import { meter } from '../ledger/usage/meter.ts'
import { type Command, type Option, type Options, SITE, TENANT, text, UsageError } from './options.ts'

const HOST: Option = { value: 'HOST', about: 'hostname of a page with the form, without scheme and port' }

/** The rows of one page. The command line prints all of them. */
const PAGE = 200

const jsonOf = ({ id, name, sitekey, paused, hostnames, liveSecrets, createdAt }: SiteView) => ({
  site_id: id,
  name,
  sitekey,
  paused,
  hostnames,
  live_secrets: liveSecrets,
  created_at: createdAt,
})

async function allSites(ctx: OperatorCtx, tenant: { id: string }): Promise<SiteView[]> {
  const sites: SiteView[] = []
  let cursor: string | undefined
  do {
    const page = await listSites({ ...ctx, tenant }, { cursor, limit: PAGE })
    sites.push(...page.rows)
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined)
  return sites
}

const describe = ({ id, name, sitekey, paused, hostnames, liveSecrets }: SiteView): string =>
  [
    `${name}${paused ? ' (paused)' : ''}`,
    `  Id         ${id}`,
    `  Site key   ${sitekey}`,
    `  Hostnames  ${hostnames.join(', ') || 'none'}`,
    `  Secrets    ${liveSecrets} active`,
  ].join('\n')

async function find(ctx: OperatorCtx, options: Options) {
  const { id, tenantId, sitekey } = await findSiteRow(ctx, text(options, 'site'))
  return { id, tenantId, sitekey, own: { ...ctx, tenant: { id: tenantId } } }
}

async function setPaused(ctx: OperatorCtx, options: Options, paused: boolean) {
  const { id, own } = await find(ctx, options)
  const site = await pauseSite(own, { site: id, paused })
  const now = paused ? 'Paused' : 'Resumed'
  return {
    result: jsonOf(site),
    text: `${now} ${site.name}. All nodes ${paused ? 'refuse' : 'accept'} its calls within 10 s.`,
  }
}

/** Commands that read tenants and sites, and those about hostnames, pauses and mistakes of an integration. */
export const SITES: Record<string, Command> = {
  'tenant list': {
    about: 'Lists all tenants.',
    options: {},
    async run(ctx) {
      const rows = await ctx.prisma.tenant.findMany({
        where: { deletedAt: null },
        orderBy: { slug: 'asc' },
        include: { _count: { select: { sites: true } } },
      })
      const tenants = rows.map(({ id, slug, name, monthlyQuota, suspendedAt, _count }) => ({
        tenant_id: id,
        slug,
        name,
        sites: _count.sites,
        quota: Number(monthlyQuota),
        suspended: suspendedAt !== null,
      }))
      const lines = tenants.map(
        ({ slug, name, sites, suspended }) => `${slug}  ${name}, sites: ${sites}${suspended ? ', suspended' : ''}`,
      )
      return { result: { tenants }, text: lines.join('\n') || 'There are no tenants.' }
    },
  },
  'tenant show': {
    about: 'Shows a tenant, its units of this month and its sites.',
    options: { tenant: TENANT },
    async run(ctx, options) {
      const tenant = await findTenant(ctx, text(options, 'tenant'))
      const [{ month, included, used, balance }, sites] = [await meter(ctx, tenant), await allSites(ctx, tenant)]
      const suspended = tenant.suspendedAt !== null
      return {
        result: {
          tenant_id: tenant.id,
          slug: tenant.slug,
          name: tenant.name,
          suspended,
          month,
          included,
          used,
          balance,
          sites: sites.map(jsonOf),
        },
        text: [
          `${tenant.name}${suspended ? ' (suspended)' : ''}`,
          `  Id         ${tenant.id}`,
          `  Slug       ${tenant.slug}`,
          `  Units      ${used} of ${included} used in ${month.slice(0, 7)}, balance ${balance}`,
          ...sites.map(describe),
        ].join('\n'),
      }
    },
  },
  'site list': {
    about: 'Lists the sites of a tenant.',
    options: { tenant: TENANT },
    async run(ctx, options) {
      const sites = await allSites(ctx, await findTenant(ctx, text(options, 'tenant')))
      return { result: { sites: sites.map(jsonOf) }, text: sites.map(describe).join('\n') || 'There are no sites.' }
    },
  },
  'site show': {
    about: 'Shows the keys, hostnames and state of a site. Secrets are stored as hashes and cannot be shown.',
    options: { site: SITE },
    async run(ctx, options) {
      const { id, own } = await find(ctx, options)
      const site = await viewSite(own, id)
      return { result: jsonOf(site), text: describe(site) }
    },
  },
  'site pause': {
    about: 'Refuses all calls of a site, on all nodes within 10 s.',
    options: { site: SITE },
    run: (ctx, options) => setPaused(ctx, options, true),
  },
  'site resume': {
    about: 'Accepts the calls of a paused site again.',
    options: { site: SITE },
    run: (ctx, options) => setPaused(ctx, options, false),
  },
  'hostname add': {
    about: 'Allows a hostname for a site, on all nodes within 10 s.',
    options: { site: SITE, hostname: HOST },
    async run(ctx, options) {
      const { id, own, ...site } = await find(ctx, options)
      const { hostname } = await addHostname(ctx, { id, ...site }, text(options, 'hostname'))
      const { hostnames } = await viewSite(own, id)
      return { result: { site_id: id, hostnames }, text: `Allowed ${hostname}. Hostnames: ${hostnames.join(', ')}.` }
    },
  },
  'hostname remove': {
    about: 'Removes a hostname from a site, on all nodes within 10 s.',
    options: { site: SITE, hostname: HOST },
    async run(ctx, options) {
      const { id, own, ...site } = await find(ctx, options)
      const { hostname } = await removeHostname(ctx, { id, ...site }, text(options, 'hostname'))
      const { hostnames } = await viewSite(own, id)
      return {
        result: { site_id: id, hostnames },
        text: `Removed ${hostname}. Hostnames: ${hostnames.join(', ') || 'none'}.`,
      }
    },
  },
  doctor: {
    about:
      'Finds mistakes in a site’s integration from its calls of the last days. Exit code 1 if calls fail because of one.',
    options: {
      site: SITE,
      language: {
        value: 'NAME',
        about: `lines to change in ${LANGUAGES.join(', ')}; by default in that of the SDK in use`,
        optional: true,
      },
    },
    async run(ctx, options) {
      const language = LANGUAGES.find((known) => known === options['language'])
      if (options['language'] !== undefined && !language)
        throw new UsageError(`--language must be one of ${LANGUAGES.join(', ')}, not "${String(options['language'])}".`)
      const { id, tenantId, sitekey } = await find(ctx, options)
      const diagnosis = await diagnose(ctx, { id, tenantId, sitekey }, language)
      const failed = diagnosis.findings.some(({ severity }) => severity === 'error')
      return {
        result: {
          site_id: id,
          ok: !failed,
          days: diagnosis.days,
          language: diagnosis.language,
          findings: diagnosis.findings,
        },
        text: report(diagnosis),
        failed,
      }
    },
  },
}

function report({ days, findings }: Diagnosis): string {
  if (findings.length === 0) return `No mistakes in the calls of the last ${days} days.`
  return findings
    .map(({ severity, title, why, fix, count, lastAt, lines }) =>
      [
        `${severity === 'error' ? 'Error' : 'Warning'}: ${title}`,
        `  ${why}`,
        `  ${fix}`,
        `  Calls: ${count}${lastAt === null ? '' : `, the last at ${new Date(lastAt * 1000).toISOString()}`}`,
        ...(lines.removed.length + lines.added.length === 0
          ? []
          : [`  ${lines.example ? 'Example, in' : 'In'} ${lines.where}:`]),
        ...lines.removed.map((line) => `    - ${line}`),
        ...lines.added.map((line) => `    + ${line}`),
      ].join('\n'),
    )
    .join('\n\n')
}
