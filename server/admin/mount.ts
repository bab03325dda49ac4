import { type FastifyTRPCPluginOptions, fastifyTRPCPlugin } from '@trpc/server/adapters/fastify'
import type { FastifyInstance } from 'fastify'
import { admitUser, type UserCtx } from '../accounts/access.ts'
import type { Context } from '../kit/context.ts'
import { AppError } from '../kit/error.ts'
import type { Rule } from '../kit/limiter.ts'
import { networkLimits } from '../kit/network.ts'
import { takeAll } from '../kit/takeAll.ts'
import type { Facts } from '../ledger/overview.ts'
import { refuseForeign } from './admit.ts'
import { retryAfterOf } from './errors.ts'
import { mountExports } from './exportRoutes.ts'
import { refuseForeignHost } from './host.ts'
import { type AppRouter, appRouter } from './index.ts'
import { createPacing } from './pace.ts'
import { createStreams } from './streams.ts'

/** The maximum calls that the console batches into one request. */
const BATCH_MAX = 10

/** References that anyone looks up, per client network: enough for people, and no way through all of them. */
const LOOK_UPS: Rule = { name: 'references', points: 30, duration: 60 }

/** Entry point /trpc: the console's API. The procedures' error formatter masks unknown errors. */
export function mountAdmin(app: FastifyInstance, ctx: Context, facts: Facts): void {
  const streams = createStreams()
  const pace = createPacing(ctx.config)
  app.addHook('preClose', async () => streams.close())
  const trpcOptions: FastifyTRPCPluginOptions<AppRouter>['trpcOptions'] = {
    router: appRouter,
    maxBatchSize: BATCH_MAX,
    createContext: ({ req, res }) => {
      let caller: Promise<UserCtx | undefined> | undefined
      return {
        prisma: ctx.prisma,
        clock: ctx.clock,
        facts,
        docs: ctx.config.docs,
        supportUrl: ctx.config.supportUrl,
        requestId: req.id,
        address: req.ip,
        reading: ctx,
        async takeLookUp() {
          const { retryAfter } = await takeAll(ctx, networkLimits(LOOK_UPS, req.ip))
          if (retryAfter > 0) throw new AppError('calls-too-fast', { wait: retryAfter, retryAfter })
        },
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
      if (error.code === 'INTERNAL_SERVER_ERROR')
        ctx.log.error({ err: error.cause ?? error, requestId: req.id }, 'internal error')
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
