import { TEST_TENANT } from '../../accounts/sites/testKeys/ensure.ts'
import type { Context } from '../../kit/context.ts'

const CHUNK = 1000

/** The tables with data of test keys, by their time column. Kept for longer than an intent's lifetime and its replay window. */
const TABLES = [
  ['feedback_event', 'created_at'],
  ['captcha_grant', 'created_at'],
  ['decision', 'redeemed_at'],
  ['intent', 'created_at'],
] as const

/**
 * Deletes data of the published test keys, which anyone can use, when it is older than a day: intents, decisions, grants
 * and feedback, a thousand rows at a time. Returns how many.
 */
export async function sweepTests(ctx: Context): Promise<number> {
  let swept = 0
  for (const [table, column] of TABLES) {
    const statement = {
      name: `sweep_tests_${table}`,
      text: `/* sweep_tests_${table} */ delete from ${table} where ctid = any(array(
          select ctid from ${table} where tenant_id = $1::uuid and ${column} < now() - interval '24 hours' limit ${CHUNK}
        )) returning 1`,
    }
    for (let rows = CHUNK; rows === CHUNK; swept += rows)
      rows = (await ctx.hotPool.query(statement, [TEST_TENANT])).length
  }
  return swept
}
