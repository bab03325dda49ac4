import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

/** The synchronous standby of a real cluster: every commit waits for it while it is required, because it never comes. */
export type AbsentStandby = {
  /** From now on every commit waits. */
  require(): Promise<void>
  /** From now on no commit waits; those that do are let go. */
  dismiss(): Promise<void>
  /** Cancels every commit that waits, as an administrator does with `pg_cancel_backend`, until the call is answered. */
  cancelDuring<Out>(call: Promise<Out>): Promise<Out>
  /** The statements whose commits wait. */
  waiting(): Promise<string[]>
  close(): Promise<void>
}

const WAITING = `from pg_stat_activity where wait_event = 'SyncRep'`

/** `url`: of the cluster's superuser. */
export async function openAbsentStandby(url: string): Promise<AbsentStandby> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  const set = async (names: string) => {
    // the statement itself commits nothing that the standby would have to confirm
    await client.query(`alter system set synchronous_standby_names = '${names}'`)
    await client.query('select pg_reload_conf()')
  }
  return {
    async require() {
      await set('absent')
      // the checkpointer makes it effective: the probe's commit waits from then on, until it is cancelled
      const probe = new pg.Client({ connectionString: url, options: '-c synchronous_commit=on' })
      await probe.connect()
      let effective = false
      while (!effective) {
        const commit = probe.query("select pg_logical_emit_message(true, 'probe', '')")
        while (!effective) {
          const done = await Promise.race([commit.then(() => true), sleep(20).then(() => false)])
          if (done) break
          const { rowCount } = await client.query(`select pg_cancel_backend(pid) ${WAITING}`)
          effective = (rowCount ?? 0) > 0
        }
        await commit
      }
      await probe.end()
    },
    dismiss: () => set(''),
    async cancelDuring(call) {
      const answered = new AbortController()
      void Promise.allSettled([call]).then(() => answered.abort())
      while (!answered.signal.aborted) {
        await client.query(`select pg_cancel_backend(pid) ${WAITING}`)
        await sleep(10)
      }
      return call
    },
    async waiting() {
      const { rows } = await client.query<{ query: string }>(`select query ${WAITING}`)
      return rows.map((row) => row.query)
    },
    close: () => client.end(),
  }
}
