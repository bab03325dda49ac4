import { parseArgs } from 'node:util'
import { admitOperator, type OperatorCtx } from './accounts/access.ts'
import { AccountError } from './accounts/error.ts'
import { findSiteRow, findTenant } from './accounts/find.ts'
import { addBalance } from './accounts/plans/addBalance.ts'
import { setQuota } from './accounts/plans/setQuota.ts'
import { welcomePerson } from './accounts/sessions/person.ts'
import { createSite } from './accounts/sites/create.ts'
import { rotateSecret } from './accounts/sites/secrets/rotate.ts'
import { appointStaff } from './accounts/staff/appoint.ts'
import { restoreTenant, suspendTenant } from './accounts/staff/suspend.ts'
import { createTenant } from './accounts/tenants/create.ts'
import { ConfigError, readConfig } from './kit/config.ts'
import { DatabaseError } from './kit/db.ts'
import { EmbeddedError } from './kit/embedded/failure.ts'
import { createLog } from './kit/log.ts'
import { MailError } from './kit/mail.ts'
import { MigrationError } from './kit/migrate.ts'
import { openService } from './kit/service.ts'
import { reconcile } from './ledger/quota/reconcile.ts'
import { BalanceError } from './ledger/quota/topUp.ts'

const USAGE = `Usage: npm run tollgate -- <noun> <verb> [options] [--json]

  tenant create --name NAME --quota UNITS [--slug SLUG]
  tenant suspend --tenant ID-OR-SLUG --reason TEXT          refuses all its calls, everywhere within 10 s
  tenant restore --tenant ID-OR-SLUG --reason TEXT
  site create --tenant ID-OR-SLUG --name NAME --hostname HOST [--hostname HOST …]
  secret rotate --site ID-OR-SITEKEY [--overlap SECONDS]    the old secrets' remaining life; 0 (default) ends them now
  quota set --tenant ID-OR-SLUG --units UNITS               units included each month, from this month on
  balance add --tenant ID-OR-SLUG --units UNITS [--reason TEXT]   --units=-5 takes 5 away
  staff create --email E [--level support|lead] [--name N]  makes or promotes one of our own people
  reconcile                                                 holds every charge against its decision

With --json the result is one line of JSON on standard output, and nothing else is. (npm writes a banner of its own
there; \`npm run --silent tollgate\` does not.) The database is that of DATABASE_URL, or the one in DATA_DIR, whether or
not the service runs.`

class UsageError extends Error {}

type Options = Record<string, string | string[] | boolean | undefined>
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

const COMMANDS: Record<string, { options: string[]; run(ctx: OperatorCtx, options: Options): Promise<Outcome> }> = {
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
      const name = options['name'] === undefined ? {} : { name: text(options, 'name') }
      const person = await appointStaff(ctx, { email: text(options, 'email'), level, ...name })
      const welcome = person.locked ? await welcomePerson(ctx, person) : undefined
      return {
        result: {
          user_id: person.id,
          email: person.email,
          level,
          created: person.created,
          link: welcome?.link ?? null,
        },
        text: [
          `${person.email} is staff: ${level}.`,
          ...(welcome?.link === undefined ? [] : [`Choose a password within an hour, once: ${welcome.link}`]),
          ...(welcome?.link === undefined && welcome ? ['A link to choose a password is on its way to them.'] : []),
        ].join('\n'),
      }
    },
  },
  reconcile: {
    options: [],
    async run(ctx) {
      const { tenants, decisions, mismatches } = await reconcile(ctx)
      const text =
        mismatches.length === 0
          ? `All charges match: ${decisions} decisions of ${tenants} tenants.`
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

function parse(args: string[]): { name: string; options: Options } {
  const name = [args.slice(0, 2).join(' '), args[0] ?? ''].find((candidate) => Object.hasOwn(COMMANDS, candidate))
  if (name === undefined)
    throw new UsageError(
      args.length === 0
        ? 'Say what to do.'
        : `There is no command "${args
            .filter((a) => !a.startsWith('-'))
            .slice(0, 2)
            .join(' ')}".`,
    )
  const known = COMMANDS[name]?.options ?? []
  try {
    const { values } = parseArgs({
      args: args.slice(name.split(' ').length),
      options: {
        json: { type: 'boolean' },
        ...Object.fromEntries(
          known.map((option) => [option, { type: 'string' as const, multiple: option === 'hostname' }]),
        ),
      },
    })
    return { name, options: values }
  } catch (error) {
    throw new UsageError((error as Error).message.split('. To specify', 1)[0])
  }
}

async function main(args: string[]): Promise<number> {
  if (args.length === 0 || args.includes('--help')) {
    console.error(USAGE)
    return args.length === 0 ? 2 : 0
  }
  const { name, options } = parse(args)
  const config = readConfig(process.env)
  const log = createLog(config.logLevel === 'debug' ? 'debug' : 'warn')
  const service = await openService(config, { kind: 'command', label: `tollgate ${name}, process ${process.pid}` }, log)
  try {
    const operator = admitOperator(service.ctx, process.env['USER'] ?? 'unknown')
    const outcome = await COMMANDS[name]?.run(operator, options)
    if (outcome) console.log(options['json'] ? JSON.stringify(outcome.result) : outcome.text)
    return outcome?.failed ? 1 : 0
  } finally {
    await service.close()
  }
}

main(process.argv.slice(2)).then(
  (code) => process.exit(code),
  (error: unknown) => {
    const known = [
      UsageError,
      AccountError,
      BalanceError,
      ConfigError,
      EmbeddedError,
      MailError,
      MigrationError,
      DatabaseError,
    ].some((kind) => error instanceof kind)
    console.error(known ? (error as Error).message : error)
    if (error instanceof UsageError) console.error(`\n${USAGE}`)
    process.exit(error instanceof UsageError ? 2 : 1)
  },
)
