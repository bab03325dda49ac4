import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { serverProgram } from '../../test/support/process.ts'
import { missingPrograms } from './cluster.ts'
import { type Deployment, openDeployment } from './deployment.ts'
import { failOver } from './failovers.ts'
import { History } from './history.ts'
import { Load } from './load.ts'
import { archived, backUp, restoreTo, timeNow } from './restore.ts'
import { verifyHistory } from './verify.ts'

const missing = missingPrograms()
// said in the title, because a skipped test says nothing else
const title = missing.length === 0 ? '' : ` (skipped: ${missing.join(', ')} missing, see .ci/run)`

describe.runIf(missing.length === 0)(`three database machines with the files of deploy/ha${title}`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-failover-'))
  let deployment: Deployment
  let history: History
  beforeAll(async () => {
    deployment = await openDeployment()
    history = await History.open(join(folder, 'history.jsonl'))
  }, 240_000)
  afterAll(async () => {
    await history?.close()
    await deployment?.close()
    rmSync(folder, { recursive: true, force: true })
  }, 60_000)

  const startLoad = () =>
    new Load(
      deployment.nodes.map(({ url }) => url),
      deployment.site,
      history,
    )

  test('loses no acknowledged redemption if the primary dies, and if it freezes and continues', async () => {
    const { cluster, tenant } = deployment
    await backUp(cluster)
    const load = startLoad()
    for (const fault of ['machine', 'frozen'] as const) {
      const { from, to, seconds } = await failOver(cluster, fault, history)
      console.log(`${fault}: ${from} → ${to}, redemptions back after ${seconds.toFixed(1)} s`)
    }
    await load.stop()
    expect(await load.replay(50)).toEqual([])
    const verified = await verifyHistory(cluster.url('tollgate_owner'), tenant, history.entries)
    expect(verified.faults).toEqual([])
    expect(verified.acknowledged).toBeGreaterThan(50)
    expect(history.acknowledgements().length).toBe(verified.acknowledged)
  }, 420_000)

  test('restores the database as it was at a time, across two failovers', async () => {
    const { cluster, tenant, settings } = deployment
    const before = [...history.entries]
    const time = await timeNow(cluster)
    const load = startLoad()
    await expect.poll(() => history.entries.length, { timeout: 60_000 }).toBeGreaterThan(before.length + 20)
    await load.stop()
    await archived(cluster)
    const restored = await restoreTo(cluster, time)
    try {
      const then = await verifyHistory(restored.url('tollgate_owner'), tenant, before)
      expect(then.faults).toEqual([])
      // the later redemptions are not there
      const now = await verifyHistory(restored.url('tollgate_owner'), tenant, history.entries)
      expect(now.faults).toEqual([expect.stringMatching(/^acknowledged, but there is no decision: \d\d/)])
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
