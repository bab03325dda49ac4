import { expect, test } from 'vitest'
import { testApp } from '../../../test/support/testApp.ts'
import { AppError } from '../error.ts'
import type { Log } from '../process/log.ts'
import { createHotPool } from './db.ts'
import { Outages } from './outages.ts'

const app = testApp()

test('a statement that was sent before an outage ended does not begin another', async () => {
  const lines: string[] = []
  const log = { warn: (_fields: unknown, message: string) => lines.push(message) } as unknown as Log
  const { pool } = app.opened.database
  const hotPool = createHotPool(pool, new Outages(log), true)
  const run = (name: string, text: string) => hotPool.query({ name, text }, [])
  const holder = await pool.connect()
  await holder.query('select pg_advisory_lock(1)')

  const early = run('early', "do $$ begin perform pg_advisory_lock(1); raise sqlstate '53100'; end $$")
  const refused = early.catch((error: unknown) => error)
  await expect(run('work', "do $$ begin raise sqlstate '53100'; end $$")).rejects.toThrow(AppError)
  await run('work', 'select 1')
  expect(lines).toEqual([expect.stringContaining('unavailable'), expect.stringContaining('available again')])

  holder.release(true)
  expect(await refused).toBeInstanceOf(AppError)
  expect(lines).toHaveLength(2)

  await expect(run('work', "do $$ begin raise sqlstate '53100'; end $$")).rejects.toThrow(AppError)
  expect(lines).toHaveLength(3)
})
