import type { IncomingHttpHeaders } from 'node:http'
import type { Context } from '../kit/context.ts'
import { Refusal } from '../kit/refusal.ts'
import { AccountError } from './error.ts'
import { type Role, type StaffLevel, staffReaches } from './permissions.ts'
import { type CurrentSession, currentSession, type Person } from './sessions/current.ts'
import type { SiteFacts } from './sites/facts.ts'
import { siteOfSecret, siteOfSitekey } from './sites/strangers.ts'
import { activeViews } from './staff/viewAs/active.ts'

declare const minted: unique symbol

/** A merchant's backend that proved a live secret of the site. `address`: the client's. */
export type SiteCtx = Context & { readonly site: SiteFacts; readonly address: string; readonly [minted]: 'site' }

/** What is known of a browser: nothing that it says is believed beyond this. */
export type Visitor = { origin: string | undefined; address: string; mobile: boolean }

/** A browser at the component endpoints, which named the site but proved nothing. */
export type VisitorCtx = Context & { readonly site: SiteFacts; readonly visitor: Visitor; readonly [minted]: 'visitor' }

/** Somebody with the machine's shell: the command line. */
export type OperatorCtx = Context & { readonly actor: string; readonly [minted]: 'operator' }

/** Somebody signed in, of whom nothing is known but who they are. */
export type UserCtx = Context & {
  readonly user: Person
  readonly session: CurrentSession
  readonly actor: string
  readonly [minted]: 'user'
}

/** Somebody signed in who is a member of the tenant, or one of our own people who views it as one. */
export type MemberCtx = Context & {
  readonly user: Person
  readonly session: CurrentSession
  readonly tenant: { readonly id: string; readonly slug: string; readonly name: string; readonly require2fa: boolean }
  readonly role: Role
  /** Views it as a member would see it: nothing may be changed. */
  readonly readOnly: boolean
  readonly actor: string
  readonly [minted]: 'member'
}

/** One of our own people, signed in. */
export type StaffCtx = Context & {
  readonly user: Person
  readonly session: CurrentSession
  readonly level: StaffLevel
  readonly actor: string
  readonly [minted]: 'staff'
}

/** The text of `Authorization: Bearer <key>`; undefined where it is malformed. */
export function bearer(header: string): string | undefined {
  return /^bearer +([^\s]+)$/i.exec(header)?.[1]
}

/**
 * Lets a merchant's backend in. `headers`: every Authorization header of the request; two are as bad as none.
 * Throws `unauthorized`; `rate-limited` for an address that guesses secrets, from which a secret that has worked before
 * still works.
 */
export async function admitSite(ctx: Context, headers: string[], address: string): Promise<SiteCtx> {
  const [header] = headers
  const secret = headers.length === 1 && header !== undefined ? bearer(header) : undefined
  const site = secret === undefined ? undefined : await siteOfSecret(ctx, secret, address)
  if (!site) throw new Refusal('unauthorized')
  return { ...ctx, site, address } as SiteCtx
}

/** Lets a browser in; undefined where there is no such site. Throws `rate-limited` for an address that guesses. */
export async function admitVisitor(ctx: Context, sitekey: string, visitor: Visitor): Promise<VisitorCtx | undefined> {
  const site = await siteOfSitekey(ctx, sitekey, visitor.address)
  return site && ({ ...ctx, site, visitor } as VisitorCtx)
}

/** Lets the command line in: who can run it can read the database anyway. */
export function admitOperator(ctx: Context, name: string): OperatorCtx {
  return { ...ctx, actor: `operator:${name}` } as OperatorCtx
}

/** Lets in whom the request's cookie names; undefined for nobody. */
export async function admitUser(ctx: Context, headers: IncomingHttpHeaders): Promise<UserCtx | undefined> {
  const current = await currentSession(ctx, headers)
  return current && ({ ...ctx, ...current, actor: `user:${current.user.id}` } as UserCtx)
}

/**
 * Where a second factor is asked for, it is the account's that counts (an authenticator), not how this session was opened.
 * With it every way in takes two: the password and a code, or a passkey that verified its user (sessions/create.ts). A
 * passkey beside a bare password would leave that password as good as it was.
 */
function refuseWithoutSecondFactor({ user }: UserCtx): void {
  if (!user.twoFactorEnabled) throw new AccountError('forbidden', 'two-factor-required')
}

/**
 * Lets a person into a tenant, by its slug. The membership is read anew for every request.
 * A tenant of others and no tenant are answered alike; one that wants a second factor lets nobody in without, whatever
 * their role. Throws AccountError.
 */
export async function admitMember(ctx: UserCtx, slug: string): Promise<MemberCtx> {
  const member = await ctx.prisma.member.findFirst({
    where: { userId: ctx.user.id, tenant: { slug, deletedAt: null } },
    select: { role: true, tenant: { select: { id: true, slug: true, name: true, require2fa: true } } },
  })
  const admitted = member ? { ...member, readOnly: false } : await admitViewer(ctx, slug)
  if (!admitted) throw new AccountError('not-found', `There is no tenant "${slug}".`)
  if (admitted.tenant.require2fa) refuseWithoutSecondFactor(ctx)
  return { ...ctx, ...admitted } as unknown as MemberCtx
}

/** One of our own people for the time of a view (staff/viewAs/start.ts): what an admin reads, and nothing to write. */
async function admitViewer(ctx: UserCtx, slug: string) {
  const [view] = await activeViews(ctx, ctx.user.id, slug)
  if (!view) return undefined
  const { actor } = await admitStaff(ctx, 'support')
  return { tenant: view.tenant, role: 'admin' as const, readOnly: true, actor }
}

/**
 * Lets one of our own people in, who has the level or a greater one, and a second factor (an evaluation does without); to
 * others there is nothing. Throws AccountError.
 */
export async function admitStaff(ctx: UserCtx, needed: StaffLevel): Promise<StaffCtx> {
  const row = await ctx.prisma.user.findUnique({ where: { id: ctx.user.id }, select: { staffLevel: true } })
  const level = row?.staffLevel
  if (!level) throw new AccountError('not-found', 'This page does not exist.')
  if (ctx.config.staffNeeds2fa) refuseWithoutSecondFactor(ctx)
  if (!staffReaches(level, needed)) throw new AccountError('forbidden', `This needs the staff level ${needed}.`)
  return { ...ctx, level, actor: `staff:${ctx.user.id}` } as unknown as StaffCtx
}
