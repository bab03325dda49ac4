import type { Browser } from 'playwright-core'
import type { Adapter, Merchant, Settings } from './adapter.ts'
import { type Result, Unusable } from './check.ts'
import { CHANGED } from './checks/changed.ts'
import { FAILURES } from './checks/failures.ts'
import { FOREIGN } from './checks/foreign.ts'
import { FORGED } from './checks/forged.ts'
import { LOGS } from './checks/logs.ts'
import { ONCE } from './checks/once.ts'
import { WORKS } from './checks/works.ts'
import { type Behaviour, type Keys, testKeys } from './keys.ts'
import { createKit, createRecorded, type Kit } from './kit.ts'
import { type CheckNumber, type Probe, runProbe, skip } from './probe.ts'
import { openRelay } from './relay.ts'

/** The merchant under test: one that the kit starts, or one that runs already. */
export type Subject = Adapter | { name: string; running: Merchant }

export type Options = {
  /** Base address of a deployment, without a trailing slash. */
  target: string
  /** The merchant's keys. */
  keys: Keys
  /** If undefined, the probes that need a browser are skipped. */
  browser?: Browser | undefined
  /** Port of the relay; 0 picks a free one. */
  listen?: number
  /** Includes probes that take minutes. */
  slow?: boolean
  /** Only these checks. */
  only?: readonly CheckNumber[]
  /** Called with each result. */
  onResult?: (result: Result) => void
  /** Called with the seconds for which the kit waits, because the deployment limits its calls. */
  onWait?: (seconds: number) => void
}

const PROBES: readonly Probe[] = [...WORKS, ...FORGED, ...FOREIGN, ...ONCE, ...CHANGED, ...FAILURES, ...LOGS]

const BEHAVIOURS: readonly Behaviour[] = ['expired', 'spent', 'quota', 'down', 'limit']

/** Runs every probe against the merchant. A failing probe does not stop the others. */
export async function accept(subject: Subject, options: Options): Promise<Result[]> {
  const { target, keys, only, browser, slow = false, onResult = () => {}, onWait = () => {} } = options
  const relay = await openRelay(target, options.listen)
  const recorded = createRecorded()
  const results: Result[] = []
  const note = (result: Result) => {
    results.push(result)
    onResult(result)
  }
  const wanted = PROBES.filter(({ check }) => check === 0 || (only?.includes(check) ?? true))

  const outcomesOf = (needs: Probe['needs']) =>
    WORKS.filter((probe) => probe.needs === needs).map(
      ({ name }) => results.find((result) => result.name === name)?.outcome,
    )
  const isUnclear = (needs: Probe['needs']) => outcomesOf(needs).includes('unclear')
  /** Whether the form works, though perhaps not in a browser that is too slow. */
  const isWorking = () =>
    outcomesOf(undefined).every((outcome) => outcome === 'ok') && !outcomesOf('browser').includes('failed')

  /** Starts the merchant with these keys, for as long as the work takes: two of it never run at once. */
  async function withMerchant(own: Keys, work: (kit: Kit) => Promise<void>): Promise<Kit> {
    const settings = { ...own, tollgateUrl: relay.url, hostname: 'localhost' as const }
    const merchant = 'running' in subject ? subject.running : await start(subject, settings)
    try {
      const kit = createKit({ merchant, relay, target, keys: own, recorded }, { browser, slow })
      await work(kit)
      recorded.logs += await merchant.logs()
      return kit
    } finally {
      await merchant.stop()
    }
  }

  async function runAll(probes: readonly Probe[], kit: Kit): Promise<void> {
    for (const probe of probes) {
      const why = whyNot(probe, { browser, slow, isBrowserSlow: isUnclear('browser') })
      note(why === undefined ? await runProbe(probe, kit, onWait) : skip(probe, why))
    }
  }

  async function runWithTestKey(behaviour: Behaviour): Promise<void> {
    const probes = wanted.filter((probe) => probe.keys === behaviour)
    if ('running' in subject)
      for (const probe of probes) note(skip(probe, 'the kit cannot start this merchant with other keys'))
    else if (probes.length > 0) await withMerchant(testKeys(behaviour), (kit) => runAll(probes, kit))
  }

  try {
    const kit = await withMerchant(keys, async (kit) => {
      const own = wanted.filter((probe) => probe.keys === undefined && !probe.last)
      await runAll(
        own.filter(({ check }) => check === 0),
        kit,
      )
      // refusals are meaningless if nothing is accepted
      if (isWorking())
        await runAll(
          own.filter(({ check }) => check !== 0),
          kit,
        )
    })
    if (!isWorking()) return results
    for (const behaviour of BEHAVIOURS) await runWithTestKey(behaviour)
    await runAll(
      wanted.filter(({ last }) => last),
      kit,
    )
  } finally {
    await relay.close()
  }
  return results.toSorted((one, other) => one.check - other.check)
}

async function start(adapter: Adapter, settings: Settings): Promise<Merchant> {
  return adapter.start(settings).catch((error: unknown) => {
    throw new Unusable(`${adapter.name} did not start with ${settings.sitekey}: ${String(error)}`)
  })
}

function whyNot(
  { check, needs }: Probe,
  { browser, slow, isBrowserSlow }: Pick<Options, 'browser' | 'slow'> & { isBrowserSlow: boolean },
): string | undefined {
  if (needs === 'browser' && !browser) return 'there is no browser'
  if (needs === 'browser' && check !== 0 && isBrowserSlow) return 'the browser was too slow for the form itself'
  if (needs === 'slow' && !slow) return 'takes five minutes: add --slow'
  return undefined
}
