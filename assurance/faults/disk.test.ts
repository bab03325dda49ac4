import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Cluster, openCluster } from '../../server/kit/embedded/open.ts'
import { createLog } from '../../server/kit/process/log.ts'
import { openTestApp, type TestApp } from '../../test/support/app.ts'
import { type MadeSite, makeSite } from '../../test/support/make.ts'
import { databaseSettings } from '../../test/support/temporary.ts'
import { type Disk, mountDisk } from './disk.ts'

let disk: Disk | string
let cluster: Cluster
let app: TestApp
let site: MadeSite
beforeAll(async () => {
  disk = mountDisk()
  if (typeof disk === 'string') return
  cluster = await openCluster(disk.path, { kind: 'service', label: 'disk test' }, createLog('silent'))
  app = await openTestApp(await databaseSettings(cluster))
  site = await makeSite(app.ctx)
})
afterAll(async () => {
  if (typeof disk === 'string') return
  await app.close()
  await cluster.close()
  disk.close()
})

const intent = async () => (await app.client.intent(site)).status
const ready = async () => (await fetch(`${app.url}/readyz`)).status
const about = () => app.logged.filter((line) => line.includes('"the database is '))

test('a full disk is answered 503, shown by /readyz, and logged once each way', async ({ skip }) => {
  if (typeof disk === 'string') return skip(disk)
  expect(await intent()).toBe(200)
  const values = await app.client.earn(site)
  disk.fill()
  // PostgreSQL has reserved some room for its write-ahead log
  await expect.poll(intent, { timeout: 30_000 }).toBe(503)
  await expect.poll(ready, { timeout: 30_000 }).toBe(503)
  await expect.poll(intent, { timeout: 30_000 }).toBe(503)
  expect(about()).toHaveLength(1)
  disk.free()
  await expect.poll(ready, { timeout: 60_000 }).toBe(200)
  await expect.poll(intent, { timeout: 30_000 }).toBe(200)
  expect((await app.client.siteverify(site, values)).status).toBe(200)
  await expect.poll(about, { timeout: 30_000 }).toHaveLength(2)
  expect(about().map((line) => line.includes('available again'))).toEqual([false, true])
}, 240_000)
