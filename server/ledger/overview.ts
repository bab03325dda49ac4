import type { PrismaClient } from '../../prisma/client/client.ts'

/** An event of the demo data, and the page of the console that shows it. */
export type Chapter = { title: string; about: string; path: string }

/** What a running service knows about itself without a query. */
export interface Facts {
  version: string
  mode: 'evaluation' | 'production'
  database: 'embedded' | 'external'
  /** Unix seconds. */
  startedAt: number
  /** The demo shop's origin; null if none runs. */
  shopUrl: string | null
  /** What happened in the demo data, in order. */
  story: Chapter[]
}

export interface OverviewCtx {
  prisma: Pick<PrismaClient, '$queryRaw'>
  facts: Facts
  /** Whether this deployment serves the docs. */
  docs: boolean
  /** Whether anyone may create an account, not only invited people. */
  signUp: boolean
  /** Whether anyone may try a verification. */
  tryPage: boolean
  /** Whether sites can use grants. */
  grants: boolean
  /** Whether people can sign in with a password. */
  passwords: boolean
  /** The name of the identity provider that people can sign in with. */
  provider: string | undefined
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
  story: Chapter[]
  /** Null if this deployment serves no docs. */
  docsUrl: string | null
  /** Whether anyone may create an account, not only invited people. */
  signUp: boolean
  /** Whether anyone may try a verification at /try. */
  tryPage: boolean
  /** Whether sites can use grants. */
  grants: boolean
  /** Whether people can sign in with a password. */
  passwords: boolean
  /** The name of the identity provider that people can sign in with; null without one. */
  provider: string | null
  /** Where merchants reach the operator; null if the operator did not say. */
  supportUrl: string | null
}

/**
 * The version and state of the service and its database. Public, so it contains no data of a single tenant.
 * If the database does not answer, that is reported and not thrown; the wait is limited by the pool's timeouts.
 */
export async function overview(ctx: OverviewCtx): Promise<Overview> {
  const { version, mode, startedAt, shopUrl, story } = ctx.facts
  const database = await ask(ctx)
  return {
    version,
    mode,
    database: { kind: ctx.facts.database, version: database ?? '', ok: database !== null },
    startedAt,
    shopUrl,
    story,
    docsUrl: ctx.docs ? '/docs' : null,
    signUp: ctx.signUp,
    tryPage: ctx.tryPage,
    grants: ctx.grants,
    passwords: ctx.passwords,
    provider: ctx.provider ?? null,
    supportUrl: ctx.supportUrl ?? null,
  }
}

/** The database's version; null if it does not answer, for any reason. */
async function ask({ prisma }: OverviewCtx): Promise<string | null> {
  // Distributions add their own words after the number: `17.6 (Debian 17.6-1)`.
  const [answer] = await prisma.$queryRaw<{ version: string }[]>`
    select split_part(current_setting('server_version'), ' ', 1) as version`.catch(() => [])
  return answer?.version ?? null
}
