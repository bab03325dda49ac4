import { expect, test } from 'vitest'
import { testApp } from '../test/support/testApp.ts'
import { startJobs } from './jobs.ts'

const app = testApp()

test.each([
  { end: 'completed', code: '53100', change: 'delete', left: [] },
  { end: 'failed', code: '57P01', change: 'update of last_error', left: [{ locked: false, failed: true }] },
])('stores that a job has $end when the database accepts it again', async ({ end, code, change, left }) => {
  const unhandled: unknown[] = []
  const record = (error: unknown) => unhandled.push(error)
  process.on('unhandledRejection', record)
  // sequences are not rolled back, so the first attempt alone fails
  await app.sql.query(`create sequence attempts`)
  await app.sql.query(`create function refuse_once() returns trigger language plpgsql as $$ begin
      if nextval('attempts') = 1 then raise exception 'not now' using errcode = '${code}'; end if;
      return coalesce(new, old);
    end $$`)
  await app.sql.query('grant usage on sequence attempts to public')
  await app.sql.query(
    `create trigger refuse_once before ${change} on graphile_worker._private_jobs for each row execute function refuse_once()`,
  )
  if (end === 'failed') await app.sql.query('alter table captcha_grant rename to elsewhere')
  const jobs = await startJobs(app.opened)
  try {
    await app.sql.query("select graphile_worker.add_job('sweep_grants')")
    const attempts = async () => {
      const rows = await app.rows<{ n: number }>('select last_value::int as n from attempts')
      return rows[0]?.n
    }
    await expect.poll(attempts, { timeout: 20_000 }).toBe(2)
    const stored = async () => {
      const rows = await app.rows(
        `select locked_at is not null as locked, last_error like '%captcha_grant%' as failed from graphile_worker._private_jobs`,
      )
      return rows
    }
    // the sequence is ahead of the commit of the second attempt
    await expect.poll(stored, { timeout: 20_000 }).toEqual(left)
    expect(unhandled).toEqual([])
  } finally {
    process.off('unhandledRejection', record)
    await jobs.close()
    await app.sql.query('drop function refuse_once cascade; drop sequence attempts')
    await app.sql.query('alter table if exists elsewhere rename to captcha_grant')
  }
})
