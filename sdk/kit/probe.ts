import { setTimeout as sleep } from 'node:timers/promises'
import { type Check, type Result, runCheck } from './check.ts'
import type { Behaviour } from './keys.ts'
import type { Kit } from './kit.ts'

/** 0 is the form itself, which must work before the six checks. */
export type CheckNumber = 0 | 1 | 2 | 3 | 4 | 5 | 6

/** One attempt to break one of the six checks of a merchant. */
export type Probe = Check<Kit> & {
  check: CheckNumber
  expected: string
  fix: string
  /** The test key with which the merchant is started; undefined: its own. */
  keys?: Behaviour
  needs?: 'browser' | 'slow'
  /** Runs at the end, over everything that was recorded. */
  last?: true
}

/** A probe without its check. */
export type Attempt = Omit<Probe, 'check'>

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
    // faults of one probe must not affect the next
    const result = await runCheck(probe, kit, kit.mask).finally(kit.heal)
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

export function skip({ check, name, expected, fix }: Probe, why: string): Result {
  return { check, name, expected, fix, outcome: 'skipped', happened: why }
}
