import { setTimeout as sleep } from 'node:timers/promises'
import { flushAll } from '../../server/kit/db/writeBuffer.ts'
import type { TestApp } from './app.ts'

/** Waits until the server has written the counts and refusals that it stores after its answers. */
export async function written({ ctx }: Pick<TestApp, 'ctx'>): Promise<void> {
  // a refusal is recorded after its answer
  await sleep(20)
  await flushAll(ctx.resources)
}
