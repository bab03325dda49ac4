import { chownSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { accountFor } from '../../server/kit/embedded/account.ts'
import { freePort } from '../../server/kit/process/freePort.ts'
import { adapt, makeFolder, type Running, startProgram } from './proxy.ts'

/**
 * PgBouncer with deploy/pgbouncer/pgbouncer.ini in front of the database of a connection string, and the string for it. `more`: lines
 * after those of the file.
 */
export async function startPgbouncer(
  direct: string,
  mode: 'transaction' | 'session',
  more = '',
): Promise<Running & { url: string }> {
  const { hostname, port: serverPort, username, password, pathname } = new URL(direct)
  const [folder, port] = [makeFolder(), await freePort()]
  const users = join(folder, 'userlist.txt')
  writeFileSync(users, `"${username}" "${decodeURIComponent(password)}"\n`)
  const config = join(folder, 'pgbouncer.ini')
  const values = {
    'host=10.0.0.21 port=5432 dbname=tollgate': `host=${hostname} port=${serverPort} dbname=${pathname.slice(1)}`,
    'listen_addr = 10.0.0.20': 'listen_addr = 127.0.0.1',
    'listen_port = 6432': `listen_port = ${port}`,
    '/etc/pgbouncer/userlist.txt': users,
    'pool_mode = transaction': `pool_mode = ${mode}`,
    // a session is a connection: those of one node
    'default_pool_size = 20': `default_pool_size = ${mode === 'session' ? 40 : 5}`,
  }
  writeFileSync(config, `${adapt('pgbouncer/pgbouncer.ini', values)}\n${more}\n`)
  // it refuses to run as root, as PostgreSQL does
  const account = accountFor(join(folder, 'none'))
  if (account) for (const path of [folder, users, config]) chownSync(path, account.uid, account.gid)
  const running = await startProgram('pgbouncer', [config], port, folder, account)
  return { ...running, url: `postgresql://${username}:${password}@127.0.0.1:${port}/tollgate` }
}
