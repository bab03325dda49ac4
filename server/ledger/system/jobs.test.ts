import { beforeAll, expect, test } from 'vitest'
import { testApp } from '../../../test/support/testApp.ts'
import { startJobs } from '../../jobs.ts'
import { listJobs } from './jobs.ts'

const app = testApp()
beforeAll(async () => {
  // creates the tables of the jobs; stopped, so that none runs during the test
  const jobs = await startJobs(app.opened)
  await jobs.close()
})

const stateOf = async (task: string) => (await listJobs(app.ctx)).find((job) => job.task === task)?.state

const setLastRun = (task: string, hoursAgo: number) =>
  app.sql.query(
    `update graphile_worker._private_known_crontabs set last_execution = now() - make_interval(hours => $2)
     where identifier = $1`,
    [task, hoursAgo],
  )

test('a job that has not been due yet is neither healthy nor overdue', async () => {
  expect(await stateOf('reconcile')).toBe('waiting')
})

test('a job that no node has ever taken up is overdue', async () => {
  const known = "update graphile_worker._private_known_crontabs set known_since = now() - interval '2 hours'"
  await app.sql.query(`${known} where identifier = 'sweep_tests'`)
  await app.sql.query("delete from graphile_worker._private_known_crontabs where identifier = 'sweep_accounts'")
  expect([await stateOf('sweep_tests'), await stateOf('sweep_accounts')]).toEqual(['overdue', 'overdue'])
})

test('a job is healthy after a run, until its next one is overdue', async () => {
  await setLastRun('sweep_intents', 0)
  await setLastRun('sweep_grants', 3)
  expect([await stateOf('sweep_intents'), await stateOf('sweep_grants')]).toEqual(['healthy', 'overdue'])
})

test('a job with a failed run is failing, whenever it ran', async () => {
  await setLastRun('repair_usage', 0)
  await app.sql.query("select graphile_worker.add_job('repair_usage')")
  await app.sql.query("update graphile_worker._private_jobs set attempts = 2, last_error = 'no space left'")
  const job = (await listJobs(app.ctx)).find(({ task }) => task === 'repair_usage')
  expect(job).toMatchObject({ state: 'failing', failing: { attempts: 2, error: 'no space left' } })
})
