import type { IncomingHttpHeaders } from 'node:http'
import type { Prisma } from '../../prisma/client/client.ts'
import type { Hint } from '../contract/hints.ts'
import type { NetworkVerdict } from '../contract/networks.ts'
import { may, type Permission, type Role, type StaffLevel, staffReaches } from '../contract/permissions.ts'
import { scopesHave } from '../contract/scopes.ts'
import type { Context } from '../kit/context.ts'
import { AppError } from '../kit/error.ts'
import { ClientAddress } from '../kit/http/client.ts'
import type { Actor } from '../ledger/audit/actor.ts'
import type { TenantSites } from '../ledger/tenantSites.ts'
import type { KeyFacts } from './keys/facts.ts'
import { type CurrentSession, currentSession, type Person } from './sessions/current.ts'
import { findSite, type SiteFacts } from './sites/facts.ts'
import type { Caller } from './sites/secrets/verify.ts'
import { siteOfSecret, siteOfSitekey } from './sites/strangers.ts'
import { TRY_BEHAVIOUR, testSitekey } from './sites/testKeys/behaviour.ts'
import { activeViews } from './staff/viewAs/active.ts'

declare const minted: unique symbol

/** A merchant's backend that has authenticated with an active secret of the site. `address`: the client's. */
export type SiteCtx = Context & { readonly site: SiteFacts; readonly address: ClientAddress; readonly [minted]: 'site' }

/** The facts about a browser's request (captcha/challenges/visitor.ts). Nothing else that it sends is trusted. */
export type Visitor = {
  readonly origin: string | undefined
  readonly address: ClientAddress
  readonly mobile: boolean
  /** What the component noticed, and that with what the headers say: it raises the difficulty, and is never stored. */
  readonly facts: readonly Hint[]
  readonly hints: readonly Hint[]
  /** What the lists of networks say about the address; undefined if it is on none. */
  readonly listed: Listed | undefined
}

/** `by`: the list that decides, as the merchant's list of refusals names it. */
export type Listed = { verdict: NetworkVerdict; by: 'site-list' | 'deployment-list' }

/** A browser that calls a component endpoint. It named a site and is not authenticated. */
export type VisitorCtx = Context & { readonly site: SiteFacts; readonly visitor: Visitor; readonly [minted]: 'visitor' }

/** The operator, who uses the command line. */
export type OperatorCtx = Context & { readonly actor: Actor; readonly [minted]: 'operator' }

/** A signed-in person, without any checked permission. */
export type UserCtx = Context & {
  readonly user: Person
  readonly session: CurrentSession
  readonly actor: Actor
  readonly [minted]: 'user'
}

/** A signed-in member of the tenant, a member of staff who views the console as the tenant, or a program with an API key. */
export type MemberCtx = Context & {
  readonly user: Person
  readonly session: CurrentSession
  readonly tenant: TenantSites & {
    readonly slug: string
    readonly name: string
    readonly require2fa: boolean
  }
  readonly role: Role
  /** Whether the role has the permission, and one of the scopes of an API key. */
  readonly allows: (permission: Permission) => boolean
  /** Staff viewing as the tenant: read-only. */
  readonly readOnly: boolean
  readonly actor: Actor
  readonly [minted]: 'member'
}

/** A signed-in member of staff. */
export type StaffCtx = Context & {
  readonly user: Person
  readonly session: CurrentSession
  readonly level: StaffLevel
  readonly actor: Actor
  readonly [minted]: 'staff'
}

/** The text of `Authorization: Bearer <key>`; undefined if it is malformed. */
export function bearer(header: string): string | undefined {
  return /^bearer +([^\s]+)$/i.exec(header)?.[1]
}

/**
 * Authenticates a merchant's backend. `headers`: all Authorization headers of the request; exactly one is accepted.
 * Throws `unauthorized`, and `rate-limited` for an address that sends too many unknown secrets. From such an address, a
 * secret that has worked before still works.
 */
export async function admitSite(ctx: Context, headers: string[], caller: Caller): Promise<SiteCtx> {
  const [header] = headers
  const secret = headers.length === 1 && header !== undefined ? bearer(header) : undefined
  const site = secret === undefined ? undefined : await siteOfSecret(ctx, secret, caller)
  if (!site) throw new AppError('unauthorized')
  return { ...ctx, site, address: caller.address } as SiteCtx
}

/**
 * The context of the site's backend for a member who tries the site in the console. `alsoAllows`: a host that counts as on the
 * site's list. What is tried is never billed or counted, as with a test key. Throws AppError.
 */
export async function admitAsSite(
  ctx: MemberCtx,
  { sitekey }: { sitekey: string },
  { address, alsoAllows }: { address: string; alsoAllows: string },
): Promise<SiteCtx> {
  const facts = await findSite(ctx, sitekey)
  if (facts?.tenantId !== ctx.tenant.id) throw new AppError('site-not-found')
  const allows = (hostname: string) => hostname === alsoAllows || facts.allows(hostname)
  const test = { name: '', work: facts.baseWork }
  return { ...ctx, site: { ...facts, test, allows }, address: new ClientAddress(address) } as unknown as SiteCtx
}

/** The context of the backend of the page /try, which anyone may use. Throws AppError if this deployment does not have the page. */
export async function admitTry(ctx: Context, address: string): Promise<SiteCtx> {
  const site = ctx.config.tryPage ? await findSite(ctx, testSitekey(TRY_BEHAVIOUR)) : undefined
  if (!site) throw new AppError('page-not-found')
  return { ...ctx, site, address: new ClientAddress(address) } as SiteCtx
}

/**
 * The context of a browser; undefined if the site does not exist. `hasIntent`: it names an intent that this deployment made for
 * the site key. `look` looks at its request. Throws `rate-limited` for an address that guesses site keys.
 */
export async function admitVisitor(
  ctx: Context,
  sitekey: string,
  {
    address,
    hasIntent = () => false,
    look,
  }: { address: ClientAddress; hasIntent?: () => boolean; look: (site: SiteFacts) => Visitor },
): Promise<VisitorCtx | undefined> {
  const site = await siteOfSitekey(ctx, sitekey, { address, hasIntent })
  return site && ({ ...ctx, site, visitor: look(site) } as VisitorCtx)
}

/** The context of the command line. It needs no check: anyone who can run it can also read the database. */
export function admitOperator(ctx: Context, name: string): OperatorCtx {
  return { ...ctx, actor: { type: 'operator', id: name } } as OperatorCtx
}

/** The context of the person whom the request's cookie identifies; undefined without a valid session. */
export async function admitUser(ctx: Context, headers: IncomingHttpHeaders): Promise<UserCtx | undefined> {
  const current = await currentSession(ctx, headers)
  return current && ({ ...ctx, ...current, actor: { type: 'user', id: current.user.id } } as UserCtx)
}

/**
 * Where a second factor is required, the account must have one (an authenticator app), or the identity provider has checked two
 * factors for this session. Every sign-in of an account with an authenticator needs two factors: password and code, a passkey
 * that verified its user (sessions/create.ts), or the provider and code (oidc/signIn.ts). With only a passkey added, the password
 * alone would still be enough.
 */
const hasSecondFactor = ({ user, session }: Pick<UserCtx, 'user' | 'session'>): boolean =>
  user.twoFactorEnabled || session.mfa

function refuseWithoutSecondFactor(ctx: UserCtx): void {
  if (!hasSecondFactor(ctx)) throw new AppError('two-factor-required')
}

/** Whether the tenant requires a second factor that the person does not have: then it shows and sends them only its name. */
export const isLockedOut = (
  { require2fa }: { require2fa: boolean },
  { twoFactorEnabled }: { twoFactorEnabled: boolean },
): boolean => require2fa && !twoFactorEnabled

/** The same for the session of a person. */
export const locksOut = (tenant: { require2fa: boolean }, ctx: Pick<UserCtx, 'user' | 'session'>): boolean =>
  isLockedOut(tenant, { twoFactorEnabled: hasSecondFactor(ctx) })

/** The person's memberships of tenants that are not deleted, also where they are locked out. */
const findMemberships = (ctx: UserCtx, tenant: Prisma.TenantWhereInput) =>
  ctx.prisma.member.findMany({
    where: { userId: ctx.user.id, tenant: { ...tenant, deletedAt: null } },
    select: { role: true, tenant: { select: { id: true, slug: true, name: true, require2fa: true } } },
  })

/** The person's role in each of the tenants that would admit them (`admitMember`), by the tenant's id. */
export async function rolesIn(ctx: UserCtx, tenantIds: string[]): Promise<ReadonlyMap<string, Role>> {
  const rows = await findMemberships(ctx, { id: { in: tenantIds } })
  return new Map(rows.filter(({ tenant }) => !locksOut(tenant, ctx)).map(({ tenant, role }) => [tenant.id, role]))
}

/**
 * The context of a person in a tenant, by its slug. The membership is read again for every request. Another tenant gets the
 * same answer as one that does not exist. If the tenant requires a second factor, every member needs one. Throws
 * AppError.
 */
export async function admitMember(ctx: UserCtx, slug: string): Promise<MemberCtx> {
  const [member] = await findMemberships(ctx, { slug })
  const admitted = member ? { ...member, readOnly: false } : await admitViewer(ctx, slug)
  if (!admitted) throw new AppError('tenant-not-found', { tenant: slug })
  if (locksOut(admitted.tenant, ctx)) throw new AppError('two-factor-required')
  return {
    ...ctx,
    ...admitted,
    allows: (permission: Permission) => may(admitted.role, permission),
  } as unknown as MemberCtx
}

/** The context of a program in the tenant of its API key. Which of a member's permissions it has is checked with each call. */
export const admitKey = (ctx: Context, { id, tenant, sites, role, scopes, creator }: KeyFacts): MemberCtx =>
  ({
    ...ctx,
    user: creator,
    session: { id, createdAt: new Date(), mfa: false, accountId: null },
    tenant: { ...tenant, sites },
    role: role ?? 'viewer',
    allows: (permission: Permission) => role !== null && may(role, permission) && scopesHave(scopes, permission),
    readOnly: false,
    actor: { type: 'key', id },
  }) as unknown as MemberCtx

/** A member of staff who views as the tenant (staff/viewAs/start.ts): can read what an admin can, and change nothing. */
async function admitViewer(ctx: UserCtx, slug: string) {
  const [view] = await activeViews(ctx, ctx.user.id, slug)
  if (!view) return undefined
  const { actor } = await admitStaff(ctx, 'support')
  return { tenant: view.tenant, role: 'admin' as const, readOnly: true, actor }
}

/**
 * The context of a member of staff with at least this level and a second factor (not needed in an evaluation). Others get
 * `not-found`. Throws AppError.
 */
export async function admitStaff(ctx: UserCtx, needed: StaffLevel): Promise<StaffCtx> {
  const row = await ctx.prisma.user.findUnique({ where: { id: ctx.user.id }, select: { staffLevel: true } })
  const level = row?.staffLevel
  if (!level) throw new AppError('page-not-found')
  if (ctx.config.staffNeeds2fa) refuseWithoutSecondFactor(ctx)
  if (!staffReaches(level, needed)) throw new AppError('staff-level-required', { needed })
  return { ...ctx, level, actor: { type: 'staff', id: ctx.user.id } } as unknown as StaffCtx
}
