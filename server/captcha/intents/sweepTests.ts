import { TEST_TENANT } from '../../accounts/sites/testKeys/ensure.ts'
import type { Context } from '../../kit/context.ts'
import { atOnce, type Pace } from '../../kit/process/pace.ts'

/** Also in sweepTests.sql. */
const CHUNK = 1000

const deleteOld = (table: string) => ({
  name: `sweep_tests_${table}`,
  text: `/* sweep_tests_${table} */ with swept as (
      delete from ${table} where ctid = any(array(
        select ctid from ${table} where tenant_id = $1::uuid and created_at < now() - make_interval(hours => $2::int) limit ${CHUNK}
      )) returning 1)
    select count(*)::int as n from swept`,
})

const STATEMENTS = [
  deleteOld('feedback_event'),
  deleteOld('captcha_grant'),
  { name: 'sweep_tests_decision', text: 'select sweep_test_decisions($1::uuid, $2::int)::int as n' },
  deleteOld('intent'),
]

/**
 * Deletes data of the published test keys, which anyone can use, when it is older than a setting: intents, decisions, grants
 * and feedback, a thousand rows at a time. Returns how many.
 */
export async function sweepTests(ctx: Context, pace: Pace = atOnce): Promise<number> {
  let swept = 0
  for (const statement of STATEMENTS) {
    for (let rows = CHUNK; rows === CHUNK; swept += rows) {
      const values = [TEST_TENANT, ctx.config.retention.testHours]
      const [row] = await pace(() => ctx.hotPool.query<{ n: number }>(statement, values))
      rows = row?.n ?? 0
    }
  }
  return swept
}
