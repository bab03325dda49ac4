import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '../../test/support/app.ts'
import type { MadeSite } from '../../test/support/make.ts'
import { makeTenants, operate } from '../../test/support/operate.ts'
import { State } from './state.ts'
import { HOSTNAMES } from './steps/step.ts'
import { STEPS } from './steps.ts'
import { World } from './world.ts'

/**
 * Random sequences of requests, passing time and changes against the real server. A model of the contract predicts each
 * answer. A longer run: SEQUENCES=10000 npm run assurance -- unit model. A failure names its seed and path, and the shortest
 * sequence.
 */
const SEQUENCES = Number(process.env['SEQUENCES'] ?? 500)
const SEED = Number(process.env['SEED'] ?? 20261120)
/** Concurrent sequences, each with its own tenants. */
const CONCURRENCY = 8
/** Tenants created at once. */
const STOCK = 60
const SUBJECT_LIMIT = 2
/** The quota of a prepared tenant; a sequence that needs another one sets it. */
const QUOTA = 1000

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.close())

const seen = new Map<string, number>()
let steps = 0

const stock: MadeSite[][] = []
let restocking: Promise<void> | undefined

async function restock(shapes: Parameters<typeof makeTenants>[2]): Promise<void> {
  stock.push(...(await makeTenants(app, QUOTA, shapes)))
  restocking = undefined
}

/** The sites of a new tenant. Every second one has two sites, the others have one. */
async function takeTenants(): Promise<MadeSite[][]> {
  while (stock.length < 2) {
    const site = { hostnames: HOSTNAMES.slice(0, 2), subjectLimit: SUBJECT_LIMIT }
    restocking ??= restock(Array.from({ length: STOCK }, (_, i) => (i % 2 === 0 ? [site, site] : [site])))
    await restocking
  }
  return stock.splice(0, 2)
}

async function begin(operations: ReturnType<typeof operate>, quotas: number[]): Promise<State> {
  const state = new State()
  for (const [i, sites] of (await takeTenants()).entries()) {
    const id = sites[0]?.tenantId ?? ''
    const tenant = { id, included: quotas[i] ?? 0, used: 0, balance: 0, suspended: false }
    if (tenant.included !== QUOTA) await operations.setQuota(id, tenant.included)
    state.tenants.push(tenant)
    for (const { siteId, sitekey, secret } of sites)
      state.sites.push({
        id: siteId,
        sitekey,
        secret,
        tenant,
        hostnames: new Set(HOSTNAMES.slice(0, 2)),
        paused: false,
        grants: true,
        maxTtl: 3600,
        maxUses: 10,
        renewal: 86_400,
        subjectLimit: SUBJECT_LIMIT,
        opened: new Map(),
      })
  }
  return state
}

/** How often each answer occurred, for manual runs: shows that every code is reached. */
const figures = (): string =>
  [`${SEQUENCES} sequences, ${steps} steps, ${[...seen.values()].reduce((a, b) => a + b, 0)} requests`]
    .concat([...seen].map(([outcome, n]) => `${outcome} ${n}`).toSorted())
    .join('\n') + '\n'

async function runSequences(worker: number): Promise<void> {
  const operations = operate(app)
  const quotas = fc.tuple(fc.constantFrom(1, 3, QUOTA, QUOTA), fc.constantFrom(2, QUOTA, QUOTA, QUOTA))
  await fc.assert(
    fc.asyncProperty(quotas, fc.commands(STEPS, { maxCommands: 24, size: 'max' }), async (chosen, sequence) => {
      const world = new World(app, operations, seen)
      const state = await begin(operations, chosen)
      for (const one of sequence) if (one) steps += 1
      await fc.asyncModelRun(() => ({ model: state, real: world }), sequence)
      await world.settle(state)
    }),
    { numRuns: Math.ceil(SEQUENCES / CONCURRENCY), seed: SEED + worker, endOnFailure: false },
  )
}

test(
  `every answer of ${SEQUENCES} sequences is the one that the contract predicts, and charges match decisions`,
  async () => {
    try {
      await Promise.all(Array.from({ length: CONCURRENCY }, (_, worker) => runSequences(worker)))
    } finally {
      if (process.env['SEQUENCES'] !== undefined) process.stdout.write(figures())
    }
    expect(await operate(app).mismatches()).toEqual([])
  },
  60_000 + SEQUENCES * 300,
)
