import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { OperatorError } from '../error.ts'

/** The system account that runs PostgreSQL; undefined means that of this process. */
export type Account = { uid: number; gid: number }

const isRoot = () => process.getuid?.() === 0

/**
 * PostgreSQL refuses to run as root. As root, the cluster's owner runs it; a new cluster belongs to `postgres` if
 * that account exists, otherwise to `nobody`.
 */
export function accountFor(clusterDir: string): Account | undefined {
  if (!isRoot()) return undefined
  if (existsSync(clusterDir)) {
    const { uid, gid } = statSync(clusterDir)
    if (uid !== 0) return { uid, gid }
  }
  const accounts = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
  const entry = accounts.find(([name]) => name === 'postgres') ?? accounts.find(([name]) => name === 'nobody')
  if (!entry)
    throw new OperatorError(
      'PostgreSQL does not run as root, and this machine has neither a `postgres` nor a `nobody` account. Start Tollgate as a regular user, or set DATABASE_URL.',
    )
  return { uid: Number(entry[2]), gid: Number(entry[3]) }
}

/** Whether the account has access to every directory above `path` (a home directory with mode 700 is the usual obstacle). */
export function canReach(account: Account | undefined, path: string): boolean {
  if (!account) return true
  for (let dir = dirname(path); ; dir = dirname(dir)) {
    if (existsSync(dir)) {
      const { mode, uid, gid } = statSync(dir)
      const needed = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001
      if ((mode & needed) === 0) return false
    }
    if (dir === dirname(dir)) return true
  }
}
