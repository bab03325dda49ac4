import { randomBytes } from 'node:crypto'
import { chmodSync, lstatSync, mkdirSync, readlinkSync, statfsSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { OperatorError } from '../error.ts'
import { type Account, accountFor, canReach } from './account.ts'

/** The directory for root's clusters if PostgreSQL's account has no access to a directory above DATA_DIR. */
const OUTSIDE = '/var/lib/tollgate'
/** A new cluster takes about 45 MB, and its write-ahead log up to 4 GB; with less free space, a start would fail midway. */
const NEEDED_BYTES = 300 * 1024 * 1024

export type Place = { clusterDir: string; copies: string; account: Account | undefined }

/**
 * The directory of DATA_DIR's cluster. `DATA_DIR/postgres` is the cluster itself or a link to it: the link
 * records another location, so that moving DATA_DIR moves nothing else.
 */
export function findPlace(dataDir: string): Place {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o755 })
  } catch (cause) {
    throw new OperatorError(
      `DATA_DIR ${dataDir} cannot be created (${(cause as NodeJS.ErrnoException).code}). Choose a directory that you can write to: DATA_DIR=… npm start`,
      { cause },
    )
  }
  const near = join(dataDir, 'postgres')
  const entry = lstatSync(near, { throwIfNoEntry: false })
  const clusterDir = entry?.isSymbolicLink() ? readlinkSync(near) : near
  const account = accountFor(clusterDir)
  if (canReach(account, join(clusterDir, 'PG_VERSION'))) {
    checkSpace(dataDir)
    // through the link only the cluster is accessible, not the files next to it
    const copies = canReach(account, join(dataDir, 'copies')) ? dataDir : OUTSIDE
    return { clusterDir, copies, account }
  }
  if (entry)
    throw new OperatorError(
      `PostgreSQL's account (uid ${account?.uid}) has no access to ${clusterDir}. Allow it (chmod o+x on its parent directories), or choose another DATA_DIR.`,
    )
  return outside(dataDir, near)
}

/** Throws OperatorError if DATA_DIR contains no cluster. Creates nothing. */
export function refuseMissing(dataDir: string): void {
  try {
    statSync(join(dataDir, 'postgres', 'PG_VERSION'))
  } catch (cause) {
    // a directory without access may still contain one, and gets its own message later
    const { code } = cause as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR')
      throw new OperatorError(
        `There is no database in ${dataDir}. Start the service first. If it was started with DATA_DIR, set the same before the command: DATA_DIR=… npm run tollgate -- …`,
        { cause },
      )
  }
}

/** A new random name, so that a DATA_DIR that was deleted and created again does not find the old data. */
function outside(dataDir: string, near: string): Place {
  mkdirSync(OUTSIDE, { recursive: true, mode: 0o755 })
  chmodSync(OUTSIDE, 0o755)
  checkSpace(OUTSIDE)
  try {
    symlinkSync(join(OUTSIDE, randomBytes(8).toString('hex')), near)
  } catch (error) {
    // another start at the same moment created the link first: use its directory
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  return findPlace(dataDir)
}

function checkSpace(dir: string): void {
  const { bavail, bsize } = statfsSync(dir)
  if (bavail * bsize < NEEDED_BYTES) {
    throw new OperatorError(
      `Not enough disk space in ${dir}: ${Math.round((bavail * bsize) / 1024 ** 2)} MB free, ${NEEDED_BYTES / 1024 ** 2} MB needed. Free some space, or choose another DATA_DIR.`,
    )
  }
}
