import { randomBytes } from 'node:crypto'
import type { Prisma } from '../../prisma/client/client.ts'
import { newId } from '../../server/kit/crypto/ids.ts'
import type { TestApp } from './app.ts'
import type { MadeSite } from './make.ts'

type Made = Partial<Omit<Prisma.DecisionCreateManyInput, 'id' | 'redeemedAt'>> & {
  /** Seconds before now; default 0. */
  ago?: number
  /** Milliseconds from the challenge to its solution; null: the challenge was skipped. */
  solveMs?: number | null
}

/** Inserts decisions as the verification path would; returns their intents' ids in order. */
export async function makeDecisions(
  { ctx }: Pick<TestApp, 'ctx'>,
  { tenantId, siteId }: Pick<MadeSite, 'tenantId' | 'siteId'>,
  made: readonly Made[],
): Promise<string[]> {
  const now = Date.now()
  const data = made.map(({ ago = 0, solveMs = 1500, ...rest }) => {
    const redeemedAt = now - ago * 1000
    return {
      id: newId(),
      tenantId,
      siteId,
      action: 'checkout',
      hostname: 'shop.example',
      tokenHash: randomBytes(16),
      keyHash: randomBytes(16),
      redeemedAt: new Date(redeemedAt),
      chargedTo: 'quota' as const,
      ...(solveMs !== null && {
        challengedAt: new Date(redeemedAt - 1000 - solveMs),
        solvedAt: new Date(redeemedAt - 1000),
        work: 65_536n,
        mobile: false,
      }),
      ...rest,
    }
  })
  await ctx.prisma.decision.createMany({ data })
  return data.map(({ id }) => id)
}
