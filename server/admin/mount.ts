import { type FastifyTRPCPluginOptions, fastifyTRPCPlugin } from '@trpc/server/adapters/fastify'
import type { FastifyInstance } from 'fastify'
import { admitTry, admitUser, type UserCtx } from '../accounts/access.ts'
import type { Context } from '../kit/context.ts'
import { Cache } from '../kit/db/cache.ts'
import { AppError } from '../kit/error.ts'
import { ClientAddress, networkLimits } from '../kit/http/client.ts'
import type { Rule } from '../kit/limits/limiter.ts'
import { takeAll } from '../kit/limits/takeAll.ts'
import { type Facts, type Overview, overview } from '../ledger/overview.ts'
import { refuseForeign } from './admit.ts'
import { logError, retryAfterOf } from './errors.ts'
import { mountExports } from './exportRoutes.ts'
import { refuseForeignHost } from './host.ts'
import { type AppRouter, appRouter } from './index.ts'
import { createPacing } from './pace.ts'
import { createStreams } from './streams.ts'

/** The maximum calls that the console batches into one request. */
const BATCH_MAX = 10

/**
 * Calls of a client network without signing in: enough for an office that opens the console, but too few look-ups of references to
 * try all of them.
 */
const PUBLIC: Record<'call' | 'reference', Rule> = {
  call: { name: 'public-calls', points: 300, duration: 60 },
  reference: { name: 'references', points: 30, duration: 60 },
}

/** How long the state of the service is kept, in milliseconds: anyone can ask, and it takes a statement. */
const OVERVIEW_MS = { answered: 5000, unanswered: 1000 }

/** Entry point /trpc: the console's API. The procedures' error formatter masks unknown errors. */
export function mountAdmin(app: FastifyInstance, ctx: Context, facts: Facts): void {
  const streams = createStreams(ctx)
  const pace = createPacing(ctx)
  const kept = new Cache<Overview>({ max: 1, ttl: OVERVIEW_MS.answered })
  async function currentOverview(): Promise<Overview> {
    const { prisma, config } = ctx
    const read = await kept.read('overview', async () => {
      const value = await overview({
        prisma,
        facts,
        docs: config.docs,
        signUp: config.signUp,
        tryPage: config.tryPage,
        grants: config.grants,
        passwords: config.passwords,
        provider: config.oidc?.label,
        supportUrl: config.supportUrl,
      })
      return { value, ttl: value.database.ok ? OVERVIEW_MS.answered : OVERVIEW_MS.unanswered }
    })
    if (!read) throw new Error('an overview without a value')
    return read
  }
  app.addHook('preClose', async () => streams.close())
  const trpcOptions: FastifyTRPCPluginOptions<AppRouter>['trpcOptions'] = {
    router: appRouter,
    maxBatchSize: BATCH_MAX,
    createContext: ({ req, res }) => {
      let caller: Promise<UserCtx | undefined> | undefined
      return {
        facts,
        overview: currentOverview,
        requestId: req.id,
        address: req.ip,
        reading: ctx,
        async takePublic(kind) {
          const { retryAfter } = await takeAll(ctx, networkLimits(PUBLIC[kind], new ClientAddress(req.ip)))
          if (retryAfter > 0) throw new AppError('calls-too-fast', { wait: retryAfter, retryAfter })
        },
        backendOfTry: () => admitTry(ctx, req.ip),
        caller: () => (caller ??= admitUser(ctx, req.headers)),
        again: () => admitUser(ctx, req.headers),
        streams,
        pace,
        setCookie: (line) => void res.header('set-cookie', line),
      }
    },
    // the longest wait of a batch
    responseMeta({ errors }) {
      const waits = errors.flatMap((error) => retryAfterOf(error) ?? [])
      return waits.length === 0 ? {} : { headers: { 'retry-after': String(Math.max(...waits)) } }
    },
    onError({ error, req }) {
      logError(ctx.log, error, req.id)
    },
  }
  void app.register(async (admin) => {
    admin.addHook('onRequest', refuseForeignHost(ctx.config))
    admin.addHook('onRequest', async (request, reply) => {
      void reply.header('cache-control', 'no-store')
      refuseForeign(ctx.config, request)
    })
    mountExports(admin, ctx, { streams, pace })
    await admin.register(fastifyTRPCPlugin, { prefix: '/trpc', trpcOptions })
  })
}
