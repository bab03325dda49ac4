import type { Context } from '../../kit/context.ts'
import { firstIdOf } from '../../kit/ids.ts'

// ten days back from the day on which they are due, so that a job that missed some days catches up
const DELETE_EXPIRED = {
  name: 'delete_expired_networks',
  text: `/* delete_expired_networks */ update decision set network = null
    where id >= ${firstIdOf("now() - interval '40 days'")}
      and id < ${firstIdOf("now() - interval '30 days'")}
      and network is not null returning 1`,
}

/** Deletes the hashes of client networks after 30 days; the decision and its charge are kept. Returns how many. */
export async function deleteExpiredNetworks({ hotPool }: Pick<Context, 'hotPool'>): Promise<number> {
  return (await hotPool.query(DELETE_EXPIRED, [])).length
}
