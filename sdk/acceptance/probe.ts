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
  outcome: 'ok' | 'failed' | 'skipped'
  /** What happened, or why it was skipped. */
  happened: string | undefined
}

export async function runProbe(probe: Probe, kit: Kit): Promise<Result> {
  const { check, name, expected, fix } = probe
  try {
    const remark = await probe.run(kit)
    return { check, name, expected, fix, outcome: 'ok', happened: remark ?? undefined }
  } catch (error) {
    const happened = error instanceof Failed ? error.message : `the kit could not go on: ${String(error)}`
    return { check, name, expected, fix, outcome: 'failed', happened: kit.mask(happened) }
  } finally {
    // faults of one probe must not affect the next
    kit.heal()
  }
}

export function skip({ check, name, expected, fix }: Probe, why: string): Result {
  return { check, name, expected, fix, outcome: 'skipped', happened: why }
}
