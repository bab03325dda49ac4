import type { FastifyInstance } from 'fastify'
import { explainSettings, READ_SETTINGS, type Setting, wrongSettings } from '../kit/db/databaseSettings.ts'
import type { Database } from '../kit/db/db.ts'
import { isMigrated, NEEDS_OWNER, type Schema } from '../kit/db/migrate.ts'
import type { Log } from '../kit/process/log.ts'

/** How long a result of the check counts, in milliseconds: anyone can ask, and it writes. */
const KEPT_MS = 1000

/**
 * Writes 8 MB of a sort to the disk and deletes them. A small commit fits into files that PostgreSQL has already reserved, so it
 * says nothing about a full disk.
 */
const FIND_ROOM = {
  name: 'find_room',
  text: '/* find_room */ select count(*) from (select md5(n::text) as t from generate_series(1, 150000) n order by t offset 1) sorted',
}

/** How far the node's clock may be from the database's. better-auth uses the node's: sessions and links would end early or late. */
const CLOCK_SECONDS = 30

/** The database's time as the node's clock would show it, in seconds. */
const READ_CLOCK = {
  name: 'read_clock',
  text: '/* read_clock */ select extract(epoch from clock_timestamp())::float8 as at',
}

/** What the operator has to correct, and what the log says when it is. */
type Fault = { message: string; corrected: string }

const clockFault = (ahead: number): Fault => ({
  message: `This node's clock is ${Math.abs(ahead)} seconds ${ahead > 0 ? 'ahead of' : 'behind'} the database's. Synchronize both machines, for example with chrony: the node serves no requests of a load balancer while they differ by more than ${CLOCK_SECONDS} seconds.`,
  corrected: "this node's clock agrees with the database's again",
})

const MIGRATIONS_MISSING: Fault = {
  message: `The database does not have all migrations of this version: run ${NEEDS_OWNER}`,
  corrected: 'the database has all migrations of this version now',
}

const settingsFault = (wrong: readonly Setting[]): Fault => ({
  message: explainSettings(wrong),
  corrected: `the settings of the database are correct now: ${wrong.map(({ name }) => name).join(', ')}`,
})

/** Why the service is not ready; undefined if it is. `report`: gets what the operator has to correct, at each check. */
async function check(
  { hotPool, outages }: Database,
  schema: Schema,
  report: (fault: Fault | undefined) => void,
): Promise<string | undefined> {
  try {
    if (!(await isMigrated(hotPool, schema))) {
      report(MIGRATIONS_MISSING)
      return 'migrations missing'
    }
    const wrong = wrongSettings(await hotPool.query<Setting>(READ_SETTINGS, READ_SETTINGS.values))
    const [clock] = await hotPool.query<{ at: number }>(READ_CLOCK, [])
    const ahead = Math.round(Date.now() / 1000 - (clock?.at ?? Number.NaN))
    const isWrong = Math.abs(ahead) > CLOCK_SECONDS
    report(wrong.length > 0 ? settingsFault(wrong) : isWrong ? clockFault(ahead) : undefined)
    if (wrong.length > 0) return 'database settings'
    if (isWrong) return 'clock'
    if (!outages.diskFull) return undefined
    await hotPool.query(FIND_ROOM, [])
    outages.diskHasRoom()
    return undefined
  } catch {
    return outages.diskFull ? 'disk full' : 'database unreachable'
  }
}

/**
 * GET /healthz: the process is alive. GET /readyz: it is ready: the schema is up to date, the database commits, and what is confirmed
 * stays, asked over the connections of the verification path, and the process is not shutting down.
 */
export function mountHealth(
  app: FastifyInstance,
  { database, schema, log }: { database: Database; schema: Schema; log: Log },
  stopping: AbortSignal,
): void {
  let reported: Fault | undefined
  /** One line when it begins, and one when it has ended. */
  const report = (fault: Fault | undefined) => {
    if (fault !== undefined && fault.corrected !== reported?.corrected) log.error(fault.message)
    if (fault === undefined && reported !== undefined) log.warn(reported.corrected)
    reported = fault
  }
  let checked: { at: number; reason: Promise<string | undefined> } | undefined
  const reasonOf = () => {
    if (checked === undefined || performance.now() - checked.at > KEPT_MS)
      checked = { at: performance.now(), reason: check(database, schema, report) }
    return checked.reason
  }
  app.get('/healthz', async (_request, reply) => reply.header('cache-control', 'no-store').send({ status: 'ok' }))
  app.get('/readyz', async (_request, reply) => {
    // a process that was replaced ends alone: its node stays ready
    const closing = stopping.aborted && stopping.reason !== 'of the process'
    const reason = closing ? 'closing' : await reasonOf()
    void reply.header('cache-control', 'no-store')
    return reason === undefined
      ? reply.send({ status: 'ready' })
      : reply.code(503).header('retry-after', '1').send({ status: 'not ready', reason })
  })
}
