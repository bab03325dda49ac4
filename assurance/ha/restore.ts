import { type HaCluster, runSql, until } from './cluster.ts'
import { Machine, PASSWORD } from './machine.ts'
import { primaryOf } from './patroni.ts'

const STANZA = '--stanza=tollgate'

/** A full backup, made on the primary. */
export async function backUp({ machines }: HaCluster): Promise<void> {
  const primary = await primaryOf(machines)
  primary.execute('pgbackrest', ['--config', primary.render('pgbackrest.conf'), STANZA, '--type=full', 'backup'])
}

/** The database's time now, in a form that --target takes. */
export async function timeNow(cluster: HaCluster): Promise<string> {
  const [row] = await runSql<{ now: string }>(cluster.url('tollgate_owner'), 'select clock_timestamp()::text as now')
  return row?.now ?? ''
}

/** Waits until everything that is committed now is in the repository. */
export async function archived(cluster: HaCluster): Promise<void> {
  const url = cluster.url('postgres')
  const [before] = await runSql<{ wal: string }>(url, 'select pg_walfile_name(pg_current_wal_lsn()) as wal')
  await runSql(url, 'select pg_switch_wal()')
  await until(async () => {
    const [state] = await runSql<{ wal: string | null }>(url, 'select last_archived_wal as wal from pg_stat_archiver')
    if ((state?.wal ?? '') < (before?.wal ?? '')) throw new Error(`archived until ${state?.wal} of ${before?.wal}`)
  })
}

/**
 * Restores the database as it was at a time to another machine, and starts it there alone. Returns the URL for a user.
 * The machine is stopped with `machine.crash()`.
 */
export async function restoreTo(
  { site }: HaCluster,
  time: string,
): Promise<{ machine: Machine; url(user: string): string }> {
  const machine = new Machine(site, 'restored', 31)
  machine.execute('mkdir', ['-p', '-m', '700', machine.postgresFolder])
  const target = ['--type=time', `--target=${time}`, '--target-action=promote']
  machine.execute('pgbackrest', ['--config', machine.render('pgbackrest.conf'), STANZA, ...target, 'restore'])
  const settings = {
    listen_addresses: machine.address,
    unix_socket_directories: `${machine.folder}/run`,
    hba_file: `${machine.postgresFolder}/pg_hba.conf`,
    ident_file: `${machine.postgresFolder}/pg_ident.conf`,
    // it is not the primary of the cluster, and must not write to its archive
    archive_mode: 'off',
    synchronous_standby_names: '',
  }
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  machine.run('postgres', ['-D', machine.postgresFolder, ...options])
  const url = (user: string) => `postgresql://${user}:${PASSWORD}@${machine.address}:5432/tollgate`
  await until(async () => {
    const [state] = await runSql<{ recovering: boolean }>(
      url('tollgate_owner'),
      'select pg_is_in_recovery() as recovering',
    )
    if (state?.recovering !== false) throw new Error('it is still recovering')
  })
  return { machine, url }
}
