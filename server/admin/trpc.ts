import { initTRPC } from '@trpc/server'
import type { OpenApiMeta } from 'trpc-to-openapi'
import { z } from 'zod'
import { admitKey, admitStaff, type MemberCtx, type SiteCtx, type UserCtx } from '../accounts/access.ts'
import { requireScope } from '../accounts/keys/admit.ts'
import type { KeyFacts } from '../accounts/keys/facts.ts'
import { renewSession } from '../accounts/sessions/renew.ts'
import { FRESH_SECONDS } from '../accounts/sessions/settings.ts'
import type { Permission, StaffLevel } from '../contract/permissions.ts'
import type { Context } from '../kit/context.ts'
import type { Clock } from '../kit/db/clock.ts'
import type { Db } from '../kit/db/transact.ts'
import { AppError } from '../kit/error.ts'
import { bounded } from '../kit/process/bounded.ts'
import type { Facts, Overview } from '../ledger/overview.ts'
import { CURSOR } from '../ledger/scan.ts'
import { admitTo } from './admit.ts'
import { formatError, toTrpcError } from './errors.ts'
import { boundedText } from './fields.ts'
import type { Pacing } from './pace.ts'
import type { Streams } from './streams.ts'

/** The context of every procedure of the console. */
export interface AdminCtx {
  facts: Facts
  /** The state of the service, at most 5 s old. */
  overview(): Promise<Overview>
  /** `req_…`, the same as the reply's X-Request-Id. */
  requestId: string
  /** The client's. */
  address: string
  /** The database, for what anyone may look up. */
  reading: Db & { clock: Clock }
  /** Counts a call by anyone, of all or of this kind. Throws AppError if the client's network makes too many. */
  takePublic(kind: 'call' | 'reference'): Promise<void>
  /** The backend of the page /try. Throws AppError if this deployment does not have it. */
  backendOfTry(): Promise<SiteCtx>
  /** The caller, looked up at first use, once per request. */
  caller(): Promise<UserCtx | undefined>
  /** The same, looked up again: for streams, during which a session may end. */
  again(): Promise<UserCtx | undefined>
  streams: Streams
  /** Counts a call of the person. Throws AppError if they call too often. */
  pace: Pacing
  /** The API key of a call of the management API, which has no session, and the services for it. */
  key?: { facts: KeyFacts; ctx: Context } | undefined
  /** Sets a cookie, given as a Set-Cookie value. */
  setCookie(line: string): void
}

/**
 * A procedure with a path is also an operation of the management API (server/manage). `object`: what its `id` names, if it
 * names no site, so that a key for some sites can be held to them.
 */
export type Meta = OpenApiMeta & {
  object?: 'decision' | 'incident' | 'grant' | 'sites'
  /** Of a member's procedure: what its caller needs. */
  permission?: Permission
}

type Operation = `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`

/** The operation of a procedure: its method and path, and what it does as the reference says it. */
export function rest(operation: Operation, summary: string, more: Omit<Meta, 'openapi'> = {}): Meta {
  const [method, path] = operation.split(' ') as ['GET', `/${string}`]
  return { openapi: { method, path, summary, tags: [path.split('/')[1] ?? ''] }, ...more }
}

/**
 * No transformer: all times on this wire are Unix seconds, all amounts plain numbers, so JSON suffices and the
 * console does not need superjson.
 */
const t = initTRPC
  .context<AdminCtx>()
  .meta<Meta>()
  .create({
    errorFormatter: formatError,
    // pings detect a closed connection on both sides
    sse: { ping: { enabled: true, intervalMs: 2000 }, client: { reconnectAfterInactivityMs: 10_000 } },
  })

export const router = t.router

/** The console stops waiting after 5 s, and then cannot tell a busy service from a lost connection. */
const ANSWER_MS = 4500

const procedure = t.procedure.use(async ({ type, next }) => {
  const work = next()
  const result = await (type === 'subscription' ? work : bounded(ANSWER_MS, work)).catch((error: unknown) => {
    throw toTrpcError(error)
  })
  if (!result.ok) throw toTrpcError(result.error)
  return result
})

/** For anyone. Each call of a batch is counted: for the person of the session, if there is one, or for the client's network. */
export const publicly = procedure.use(async ({ ctx, type, next }) => {
  // a call with an API key was counted where it was admitted
  if (ctx.key) return next({ ctx: { user: undefined } })
  const user = await ctx.caller()
  if (user) await ctx.pace(user.user.id, type === 'mutation')
  else await ctx.takePublic('call')
  return next({ ctx: { user } })
})

/** For anyone signed in. */
export const signedIn = publicly.use(async ({ ctx: { user }, next }) => {
  if (!user) throw new AppError('sign-in-required')
  return next({ ctx: { user } })
})

/**
 * For members of the tenant in the input whose role has the permission. For others the tenant does not exist. Someone who
 * only views as a member can change nothing. An API key needs a scope with the permission.
 */
export const member = (permission: Permission) =>
  publicly
    .meta({ permission })
    .input(z.object({ tenant: boundedText(64) }))
    .use(async ({ ctx, input, type, next }) => {
      const { key, user } = ctx
      if (key) requireScope(key.facts, permission)
      const member = key
        ? admitKey(key.ctx, key.facts)
        : await admitTo(user, input.tenant, { permission, writes: type === 'mutation' })
      return next({ ctx: { member } })
    })

/** As `member`, with a session that is at most 10 minutes old: for actions that a stolen session must not be able to do. */
export const fresh = (permission: Permission) =>
  member(permission).use(async ({ ctx, next }) => {
    refuseStale(ctx.member)
    return next()
  })

function refuseStale({ session }: Pick<UserCtx, 'session'>): void {
  if (Date.now() - session.createdAt.getTime() > FRESH_SECONDS * 1000) throw new AppError('reauth-required')
}

/** The member with a new session id: for changes of the caller's own role. */
export async function renewed(ctx: Pick<AdminCtx, 'setCookie'> & { member: MemberCtx }): Promise<MemberCtx> {
  const { ctx: member, cookie } = await renewSession(ctx.member)
  ctx.setCookie(cookie)
  return member
}

/** For staff of at least this level. Others get `page-not-found`. */
export const staff = (level: StaffLevel) =>
  signedIn.use(async ({ ctx, next }) => next({ ctx: { staff: await admitStaff(ctx.user, level) } }))

/** As `staff`, with a session that is at most 10 minutes old: for all changes by staff. */
export const freshStaff = (level: StaffLevel) =>
  staff(level).use(async ({ ctx, next }) => {
    refuseStale(ctx.user)
    return next()
  })

/** Which part of a list: at most 200 rows, after the row whose id is `cursor`. */
export const paging = z.object({
  cursor: z.uuid().optional(),
  limit: z.int().min(1).max(200).default(50),
})

/** The same for a list that is read by `scan`. */
export const scanPaging = paging.extend({ cursor: z.string().regex(CURSOR).optional() })
