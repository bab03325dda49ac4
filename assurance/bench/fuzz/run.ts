import { parseArgs } from 'node:util'
import type { Tally } from './oracle.ts'
import { openTarget, type Target } from './target.ts'

export type Options = {
  count: number
  seed: number
  /** Ends the run early. */
  seconds: number
}

/** Does the work for 0 … count−1, `concurrency` at a time; returns how many were done within the time. */
export async function each(
  { count, seconds }: Options,
  concurrency: number,
  work: (i: number) => Promise<void>,
): Promise<number> {
  const end = Date.now() + seconds * 1000
  let next = 0
  const worker = async () => {
    while (next < count && Date.now() < end) await work(next++)
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
  return next
}

/** A manual run: starts its own server, prints the figures, and exits with 1 after any fault. */
export async function runManually(
  fuzz: (target: Target, options: Options) => Promise<{ done: number; tally: Tally }>,
): Promise<void> {
  const { values } = parseArgs({
    options: {
      count: { type: 'string', default: '10000' },
      seed: { type: 'string', default: '1' },
      seconds: { type: 'string', default: '900' },
    },
  })
  const options = { count: Number(values.count), seed: Number(values.seed), seconds: Number(values.seconds) }
  const target = await openTarget()
  const began = Date.now()
  const { done, tally } = await fuzz(target, options)
  const took = (Date.now() - began) / 1000
  const { mismatches, alive } = await target.end()
  console.log(tally.lines().join('\n'))
  for (const fault of tally.faults) console.log(`\n${fault}`)
  console.log(
    `\n${done} requests in ${took.toFixed(0)} s (seed ${options.seed}), ${tally.faults.length === 0 ? 'no fault' : 'FAULTS'}, ` +
      `${mismatches} mismatches of charges and decisions, the server is ${alive ? 'ready' : 'NOT READY'}`,
  )
  process.exitCode = tally.faults.length === 0 && mismatches === 0 && alive ? 0 : 1
}
