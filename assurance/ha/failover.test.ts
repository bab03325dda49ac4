import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { serverProgram } from '../../test/support/process.ts'
import { History } from '../faults/history.ts'
import { reconcileHistory } from '../faults/reconcile.ts'
import { missingPrograms } from './cluster.ts'
import { type Deployment, openBooks, openDeployment, startMerchant } from './deployment.ts'
import { failOver } from './failovers.ts'
import { archived, backUp, restoreTo, timeNow } from './restore.ts'

const missing = missingPrograms()
// said in the title, because a skipped test says nothing else
const title = missing.length === 0 ? '' : ` (skipped: ${missing.join(', ')} missing, see .ci/run)`

/** What the nodes logged as faults of their own. */
const faultsOf = (nodes: Deployment['nodes']) =>
  nodes.flatMap((node) =>
    node
      .output()
      .split('\n')
      .filter((line) => line.includes('"msg":"internal error"')),
  )

describe.runIf(missing.length === 0)(`three database machines with the files of deploy/ha${title}`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-failover-'))
  let deployment: Deployment
  let history: History
  beforeAll(async () => {
    deployment = await openDeployment()
    history = new History(join(folder, 'history.jsonl'))
    openBooks(history, deployment)
  }, 240_000)
  afterAll(async () => {
    history?.close()
    await deployment?.close()
    rmSync(folder, { recursive: true, force: true })
  }, 60_000)

  test('loses no acknowledged redemption if the primary dies, and if it freezes and continues', async () => {
    const { cluster } = deployment
    await backUp(cluster)
    const merchant = startMerchant(history, deployment)
    for (const fault of ['machine', 'frozen'] as const) {
      const { from, to, seconds } = await failOver(cluster, fault, merchant)
      console.log(`${fault}: ${from} → ${to}, redemptions back after ${seconds.toFixed(1)} s`)
    }
    expect(await merchant.settle(60)).toBe(0)
    // before the replays, because a redemption that was lost would be done again by one
    const first = await reconcileHistory(cluster.url('tollgate_owner'), history.path)
    await merchant.replay()
    const second = await reconcileHistory(cluster.url('tollgate_owner'), history.path)
    // whose cause the nodes have logged
    expect(faultsOf(deployment.nodes)).toEqual([])
    expect([...first.violations, ...second.violations]).toEqual([])
    expect(second.redeemed).toBeGreaterThan(50)
  }, 420_000)

  test('restores the database as it was at a time, across two failovers', async () => {
    const { cluster, settings } = deployment
    const before = history.next
    const time = await timeNow(cluster)
    const merchant = startMerchant(history, deployment)
    await expect.poll(() => merchant.acknowledgements.length, { timeout: 60_000 }).toBeGreaterThan(20)
    expect(await merchant.settle(60)).toBe(0)
    await archived(cluster)
    const restored = await restoreTo(cluster, time)
    try {
      const then = await reconcileHistory(restored.url('tollgate_owner'), history.path, 1, before)
      expect(then.violations).toEqual([])
      // the later redemptions are not there
      const now = await reconcileHistory(restored.url('tollgate_owner'), history.path)
      expect(now.violations).toContainEqual(
        expect.objectContaining({ check: 'an acknowledged redemption is not in the database' }),
      )
      const { status, stdout } = spawnSync(process.execPath, [...serverProgram('cli'), 'reconcile', '--json'], {
        encoding: 'utf8',
        env: { ...process.env, ...settings, DATABASE_URL: restored.url('tollgate_service'), OWNER_DATABASE_URL: '' },
      })
      expect([status, JSON.parse(stdout)]).toEqual([0, expect.objectContaining({ ok: true, mismatches: [] })])
    } finally {
      await restored.machine.crash()
    }
  }, 240_000)
})
