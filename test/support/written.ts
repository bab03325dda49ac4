import { setTimeout as sleep } from 'node:timers/promises'
import { flushAll } from '../../server/kit/writeBuffer.ts'
import type { TestApp } from './app.ts'

/** Waits until what the server counts and notes behind its answers is written. */
export async function written({ ctx }: Pick<TestApp, 'ctx'>): Promise<void> {
  // a refusal is noted after its answer
  await sleep(20)
  await flushAll(ctx.resources)
}
