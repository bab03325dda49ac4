import { type FastifyTRPCPluginOptions, fastifyTRPCPlugin } from '@trpc/server/adapters/fastify'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../kit/context.ts'
import type { Facts } from '../ledger/overview.ts'
import { type AppRouter, appRouter } from './index.ts'

/** DOOR: the console's API under /trpc. What is unknown is masked by the procedures' error formatter. */
export function mountAdmin(app: FastifyInstance, ctx: Context, facts: Facts): void {
  const trpcOptions: FastifyTRPCPluginOptions<AppRouter>['trpcOptions'] = {
    router: appRouter,
    createContext: ({ req }) => ({ prisma: ctx.prisma, facts, requestId: req.id }),
    onError({ error, req }) {
      if (error.code === 'INTERNAL_SERVER_ERROR')
        ctx.log.error({ err: error.cause ?? error, requestId: req.id }, 'internal error')
    },
  }
  void app.register(async (admin) => {
    admin.addHook('onRequest', async (_request, reply) => {
      void reply.header('cache-control', 'no-store')
    })
    await admin.register(fastifyTRPCPlugin, { prefix: '/trpc', trpcOptions })
  })
}
