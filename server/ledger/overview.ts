import type { PrismaClient } from '../../prisma/client/client.ts'

/** What a running service knows about itself without a query. */
export interface Facts {
  version: string
  mode: 'evaluation' | 'production'
  database: 'embedded' | 'external'
  /** Unix seconds. */
  startedAt: number
  /** The demo shop's origin; null if none runs. */
  shopUrl: string | null
}

export interface OverviewCtx {
  prisma: Pick<PrismaClient, '$queryRaw' | 'tenant' | 'site' | 'decision' | 'invitation'>
  facts: Facts
  /** Whether this deployment serves the docs. */
  docs: boolean
  /** Whether anyone may create an account, not only invited people. */
  signUp: boolean
  /** Where merchants reach the operator. */
  supportUrl: string | undefined
}

export interface Overview {
  version: string
  mode: 'evaluation' | 'production'
  database: {
    kind: 'embedded' | 'external'
    /** PostgreSQL's own version, such as `18.4`; empty while it does not answer. */
    version: string
    ok: boolean
  }
  /** Unix seconds. */
  startedAt: number
  shopUrl: string | null
  /** Null if this deployment serves no docs. */
  docsUrl: string | null
  /** Whether anyone may create an account, not only invited people. */
  signUp: boolean
  /** Where merchants reach the operator; null if the operator did not say. */
  supportUrl: string | null
  /** Over all tenants, so only in an evaluation; null also while the database does not answer. */
  counts: { tenants: number; sites: number; decisionsToday: number } | null
}

/**
 * The version and state of the service and its database. Public, so it contains no data of a single tenant.
 * If the database does not answer, that is reported and not thrown; the wait is limited by the pool's timeouts.
 */
export async function overview(ctx: OverviewCtx): Promise<Overview> {
  const { version, mode, startedAt, shopUrl } = ctx.facts
  const database = await ask(ctx)
  return {
    version,
    mode,
    database: { kind: ctx.facts.database, version: database?.version ?? '', ok: database !== null },
    startedAt,
    shopUrl,
    docsUrl: ctx.docs ? '/docs' : null,
    signUp: ctx.signUp,
    supportUrl: ctx.supportUrl ?? null,
    counts: mode === 'evaluation' && database ? await count(ctx, database.midnight) : null,
  }
}

/** The database's version and the UTC midnight of its clock; null if it does not answer, for any reason. */
async function ask({ prisma }: OverviewCtx): Promise<{ version: string; midnight: Date } | null> {
  // Distributions add their own words after the number: `17.6 (Debian 17.6-1)`.
  const [answer] = await prisma.$queryRaw<{ version: string; midnight: Date }[]>`
    select split_part(current_setting('server_version'), ' ', 1) as version,
           date_trunc('day', now(), 'UTC') as midnight`.catch(() => [])
  return answer ?? null
}

async function count({ prisma }: OverviewCtx, midnight: Date): Promise<NonNullable<Overview['counts']>> {
  const [tenants, sites, decisionsToday] = await Promise.all([
    prisma.tenant.count({ where: { slug: { not: 'test-keys' } } }),
    prisma.site.count({ where: { tenant: { slug: { not: 'test-keys' } } } }),
    prisma.decision.count({ where: { redeemedAt: { gte: midnight } } }),
  ])
  return { tenants, sites, decisionsToday }
}
