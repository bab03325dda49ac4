import type { MemberCtx } from '../../accounts/access.ts'
import { change } from '../../accounts/change.ts'
import { POLICY_SELECT, withActions } from '../../accounts/sites/policy.ts'
import { decisionId } from '../../contract/ids.ts'
import { type Reason, sentenceOf } from '../../contract/reasons.ts'
import { AppError } from '../../kit/error.ts'
import type { Trace } from '../../ledger/decisions/trace.ts'
import { grantsEnabled } from './enabled.ts'
import { type GrantInput, type GrantingCtx, type IssuedGrant, recordGrant } from './issue.ts'

/** `decision`: its intent's UUID. */
export type MemberGrant = Pick<GrantInput, 'ttl' | 'uses'> & { decision: string }

/** `whyNot`: the sentence that says why the decision issues no grant now; null if it does. `maxTtl` in seconds. */
export type GrantTerms = { whyNot: string | null; maxTtl: number; maxUses: number }

const WINDOW_SECONDS = 600

/**
 * Issues the grant of a decision for a member in the console, as `issueGrant` does for a backend; the grant and its audit
 * row commit together. The same values again give the same grant and no second audit row. Throws AppError.
 */
export async function issueAsMember(ctx: MemberCtx, { decision: id, ttl, uses }: MemberGrant): Promise<IssuedGrant> {
  const { config, prisma, tenant } = ctx
  const where = { id, tenantId: tenant.id }
  const [decision, intent] = await Promise.all([
    prisma.decision.findFirst({ where, select: { siteId: true, redeemedAt: true, solvedAt: true } }),
    prisma.intent.findFirst({ where, select: { session: true } }),
  ])
  if (!decision) throw new AppError('decision-not-found')
  const site = await readSite(ctx, decision.siteId)
  if (!site) throw new AppError('site-deleted')
  try {
    return await change(ctx, async ({ prisma }) => {
      const { grant, replayed } = await recordGrant(
        {
          query: <Row>({ text }: { text: string }, values: unknown[]) => prisma.$queryRawUnsafe<Row[]>(text, ...values),
        },
        { config, site },
        { decision: id, ttl, uses },
      )
      if (replayed) return { out: grant, change: null }
      return {
        out: grant,
        change: {
          tenantId: tenant.id,
          action: 'grant.issue',
          target: grant.grantId,
          after: {
            decision: decisionId(id),
            expiresAt: new Date(grant.expiresAt * 1000).toISOString(),
            uses: grant.uses,
          },
        },
      }
    })
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const reason = refusalOf(error.code, () =>
      whyNoGrant(
        { config, site },
        {
          redeemedAt: decision.redeemedAt.getTime() / 1000,
          solved: decision.solvedAt !== null,
          session: (intent?.session ?? null) !== null,
        },
      ),
    )
    throw reason === undefined ? error : new AppError(reason, { cause: error })
  }
}

/** What a grant of the decision could have, for a form; null if its site was deleted or there is no decision. */
export async function grantTerms(ctx: MemberCtx, trace: Trace): Promise<GrantTerms | null> {
  const { decision, intent } = trace
  const site = decision && (await readSite(ctx, trace.site.id))
  if (!site) return null
  const reason = whyNoGrant(
    { config: ctx.config, site },
    { redeemedAt: decision.redeemedAt, solved: decision.challenge !== null, session: intent.session !== null },
  )
  return {
    whyNot: reason && sentenceOf(reason, {}),
    maxTtl: site.grantMaxTtl,
    maxUses: site.grantMaxUses,
  }
}

/** `redeemedAt` in Unix seconds. `solved`: the challenge was not skipped. `session`: the intent has one. */
type Known = { redeemedAt: number; solved: boolean; session: boolean }

/** Why the decision issues no grant, as far as its own row says; null also if only the SQL function can say. */
function whyNoGrant(ctx: GrantingCtx, { redeemedAt, solved, session }: Known) {
  const { site } = ctx
  if (!site.enabled) return 'site-off'
  if (!grantsEnabled(ctx)) return 'grants-off'
  if (Date.now() / 1000 >= redeemedAt + WINDOW_SECONDS) return 'grant-too-late'
  if (!solved && (!session || site.grantRenewal === 0)) return 'grant-not-solved'
  return null
}

/** The reason for an error of `recordGrant`, which are those of the public API. */
function refusalOf(code: string, whyInvalid: () => Reason | null): Reason | undefined {
  if (code === 'site-disabled') return 'site-off'
  if (code === 'grants-disabled') return 'grants-off'
  if (code === 'grant-exists') return 'grant-issued-before'
  // the time for it ends between two clocks, and a renewal with a grant that the function read
  if (code === 'grant-invalid') return whyInvalid() ?? 'grant-not-solved'
  return undefined
}

/** A site of the tenant as the verification path sees it, but read now; null if there is none. */
async function readSite({ prisma, tenant }: MemberCtx, id: string): Promise<GrantingCtx['site'] | null> {
  const site = await prisma.site.findFirst({
    where: { id, tenantId: tenant.id },
    select: {
      ...POLICY_SELECT,
      pausedAt: true,
      tenant: { select: { suspendedAt: true } },
    },
  })
  if (!site) return null
  const { pausedAt, tenant: owner, ...policy } = site
  return {
    ...withActions(policy),
    id,
    tenantId: tenant.id,
    enabled: pausedAt === null && owner.suspendedAt === null,
  }
}
