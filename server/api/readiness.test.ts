import { expect, test } from 'vitest'
import { openOwnApp } from '../../test/support/app.ts'

test('a missing migration is logged with the command that applies it, once until it is applied', async () => {
  const app = await openOwnApp()
  const readiness = async () => (await fetch(`${app.url}/readyz`)).json()
  const lines = (part: string) => app.logged.filter((line) => line.includes(part))
  const name = '20261122210332_tables'
  await app.sql.query('update _prisma_migrations set finished_at = null where migration_name = $1', [name])
  await expect.poll(readiness).toEqual({ status: 'not ready', reason: 'migrations missing' })
  // the next check is a second later
  await app.sql.query('update _prisma_migrations set finished_at = now() where migration_name = $1', [name])
  await expect.poll(readiness, { timeout: 10_000 }).toEqual({ status: 'ready' })
  expect(lines('dist/server/cli.js migrate`')).toHaveLength(1)
  expect(lines('the database has all migrations of this version now')).toHaveLength(1)
})
