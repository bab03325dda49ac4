import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openSharedStore, type SharedStore } from '../../server/kit/limits/redis.ts'
import { createLog } from '../../server/kit/process/log.ts'
import { makeMachines, makeSite, missingPrograms, redisUrlOf, startRedis, until } from './cluster.ts'
import { type Machine, PASSWORD, type Site } from './machine.ts'

const missing = missingPrograms().filter((name) => name === 'redis-sentinel')
const title = missing.length === 0 ? '' : ' (skipped: redis-sentinel is missing, see .ci/run)'

describe.runIf(missing.length === 0)(`the Redis that Sentinel names${title}`, () => {
  let site: Site
  let machines: readonly Machine[]
  let store: SharedStore
  beforeAll(async () => {
    site = makeSite()
    machines = makeMachines(site)
    for (const machine of machines) startRedis(machine)
    store = openSharedStore(redisUrlOf(machines), createLog('silent'))
    await until(async () => {
      // they can only promote a replica that they know, and only with the consent of other Sentinels
      if (
        store.state() !== 'shared' ||
        machines.some((each) => known(each, 'replicas') !== 2 || known(each, 'sentinels') !== 2)
      )
        throw new Error('Redis and its replicas are not known yet')
    })
  }, 120_000)
  afterAll(async () => {
    store?.close()
    await Promise.all(machines.map((machine) => machine.crash()))
    rmSync(site.folder, { recursive: true, force: true })
  })

  const sentinel = (machine: Machine, ...command: string[]) =>
    machine
      .execute('redis-cli', ['-h', machine.address, '-p', '26379', 'sentinel', ...command], { REDISCLI_AUTH: PASSWORD })
      .trim()
      .split('\n')
  const known = (machine: Machine, kind: 'replicas' | 'sentinels') =>
    sentinel(machine, kind, 'tollgate').filter((line) => line === 'flags').length

  test('a stranger can neither ask a Sentinel nor name another primary', async () => {
    for (const { address } of machines)
      for (const command of [
        ['sentinel', 'masters'],
        ['sentinel', 'monitor', 'other', '127.0.0.1', '6379', '1'],
        ['info'],
      ])
        expect(machines[0]?.execute('redis-cli', ['-h', address, '-p', '26379', ...command])).toMatch(/^NOAUTH/)
    const without = openSharedStore(redisUrlOf(machines).replace(/\?.*/, ''), createLog('silent'))
    expect(String(await once(without.redis, 'error'))).toContain('NOAUTH')
    without.close()
  })

  test.each([
    ['is killed', 'SIGKILL'],
    ['hangs', 'SIGSTOP'],
  ] as const)(
    'limits are shared again after the primary %s',
    async (_, signal) => {
      const [address] = machines.flatMap((machine) =>
        sentinel(machine, 'get-master-addr-by-name', 'tollgate').slice(0, 1),
      )
      const primary = machines.find((machine) => machine.address === address)
      /** The process and its role; undefined while none is reached. */
      const reached = () =>
        store.or(
          async () => {
            const info = await store.redis.info()
            return { id: /run_id:(\w+)/.exec(info)?.[1], role: /role:(\w+)/.exec(info)?.[1] }
          },
          async () => undefined,
        )
      const before = await reached()
      expect(before?.role).toBe('master')
      primary?.signal(signal, ['redis-server'])
      const moved = async () => {
        const now = await reached()
        return now !== undefined && now.id !== before?.id && now.role === 'master' && store.state() === 'shared'
      }
      await expect.poll(moved, { timeout: 60_000, interval: 100 }).toBe(true)
      // the old one comes back as a replica
      if (signal === 'SIGSTOP') primary?.signal('SIGCONT', ['redis-server'])
      else if (primary) primary.run('redis-server', [`${primary.folder}/etc/redis.conf`])
      const other = machines.find((machine) => machine !== primary)
      const flags = () => other && sentinel(other, 'replicas', 'tollgate').includes('slave')
      await expect.poll(flags, { timeout: 60_000 }).toBe(true)
    },
    180_000,
  )
})
