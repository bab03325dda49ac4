import { setTimeout as sleep } from 'node:timers/promises'
import { stripVTControlCharacters } from 'node:util'
import { Failed } from './expect.ts'
import type { Behaviour } from './keys.ts'
import type { Kit } from './kit.ts'

/** 0 is the form itself, which must work before the six checks. */
export type CheckNumber = 0 | 1 | 2 | 3 | 4 | 5 | 6

/** One attempt to break a check. */
export type Probe = {
  check: CheckNumber
  /** What the probe does. */
  name: string
  /** The expected result. */
  expected: string
  /** What a failing merchant must change. */
  fix: string
  /** The test key with which the merchant is started; undefined: its own. */
  keys?: Behaviour
  needs?: 'browser' | 'slow'
  /** Runs at the end, over everything that was recorded. */
  last?: true
  /** Throws `Failed` if the merchant does something else; may return a remark. */
  run(kit: Kit): Promise<string | void>
}

export type Result = Pick<Probe, 'check' | 'name' | 'expected' | 'fix'> & {
  /** `unclear`: the kit could not find out, for a reason that is not the merchant's. */
  outcome: 'ok' | 'failed' | 'unclear' | 'skipped'
  /** What happened, or why it was skipped. */
  happened: string | undefined
}

/** What the service itself answers to these test keys. */
const USUAL: Partial<Record<Behaviour, number>> = { limit: 429, down: 503 }
const MOST_RUNS = 3

/**
 * Runs a probe. If a call of the merchant was lost that the probe did not ask for, its result says nothing about the merchant:
 * it is run again, after the wait that the service asks for. `onWait` gets the seconds.
 */
export async function runProbe(probe: Probe, kit: Kit, onWait: (seconds: number) => void): Promise<Result> {
  const { disturbances } = kit.relay
  for (let runs = 1; ; runs++) {
    const since = disturbances.length
    const result = await runOnce(probe, kit)
    const usual = probe.keys && USUAL[probe.keys]
    const disturbed = disturbances.slice(since).filter(({ status }) => usual === undefined || status !== usual)
    if (result.outcome === 'ok' ? !disturbed.some(({ isLost }) => isLost) : disturbed.length === 0) return result
    if (runs === MOST_RUNS) {
      const happened = `the kit could not go on: ${disturbed[0]?.what}`
      return { ...result, outcome: 'unclear', happened }
    }
    const seconds = Math.max(0, ...disturbed.map(({ retryAfter = 0 }) => retryAfter))
    if (seconds > 0) onWait(seconds)
    await sleep(seconds * 1000)
  }
}

async function runOnce(probe: Probe, kit: Kit): Promise<Result> {
  const { check, name, expected, fix } = probe
  try {
    const remark = await probe.run(kit)
    return { check, name, expected, fix, outcome: 'ok', happened: remark ?? undefined }
  } catch (error) {
    const said = stripVTControlCharacters(error instanceof Error ? error.message : String(error)).trim()
    if (error instanceof Failed) return { check, name, expected, fix, outcome: 'failed', happened: kit.mask(said) }
    // Playwright adds a log of many lines
    const [line = ''] = said.split('\n')
    return { check, name, expected, fix, outcome: 'unclear', happened: kit.mask(`the kit could not go on: ${line}`) }
  } finally {
    // faults of one probe must not affect the next
    kit.heal()
  }
}

export function skip({ check, name, expected, fix }: Probe, why: string): Result {
  return { check, name, expected, fix, outcome: 'skipped', happened: why }
}
