import { randomBytes } from 'node:crypto'
import { chmodSync, lstatSync, mkdirSync, readlinkSync, statfsSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { type Account, accountFor, canReach } from './account.ts'
import { EmbeddedError } from './failure.ts'

/** Where root's clusters live when DATA_DIR is below a directory that PostgreSQL's account may not enter. */
const OUTSIDE = '/var/lib/tollgate'
/** A new cluster takes about 45 MB, and its write-ahead log up to 4 GB; below this a start would fail midway. */
const NEEDED_BYTES = 300 * 1024 * 1024

export type Place = { clusterDir: string; copies: string; account: Account | undefined }

/**
 * The directory of DATA_DIR's cluster. `DATA_DIR/postgres` is the cluster itself or a link to it: the link is what
 * remembers a place outside, so that moving DATA_DIR moves nothing else.
 */
export function findPlace(dataDir: string): Place {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o755 })
  } catch (cause) {
    throw new EmbeddedError(
      `DATA_DIR ${dataDir} cannot be made (${(cause as NodeJS.ErrnoException).code}). Choose a directory you may write: DATA_DIR=… npm start`,
      { cause },
    )
  }
  const near = join(dataDir, 'postgres')
  const entry = lstatSync(near, { throwIfNoEntry: false })
  const clusterDir = entry?.isSymbolicLink() ? readlinkSync(near) : near
  const account = accountFor(clusterDir)
  if (canReach(account, join(clusterDir, 'PG_VERSION'))) {
    checkSpace(dataDir)
    // behind the link the cluster can be entered, and still not what lies beside it
    const copies = canReach(account, join(dataDir, 'copies')) ? dataDir : OUTSIDE
    return { clusterDir, copies, account }
  }
  if (entry)
    throw new EmbeddedError(
      `PostgreSQL's account (uid ${account?.uid}) may not enter ${clusterDir}. Allow it (chmod o+x on the directories above), or choose another DATA_DIR.`,
    )
  return outside(dataDir, near)
}

/** Throws EmbeddedError where DATA_DIR has no cluster, and makes nothing. */
export function refuseMissing(dataDir: string): void {
  try {
    statSync(join(dataDir, 'postgres', 'PG_VERSION'))
  } catch (cause) {
    // what may not be entered may still be there, and has its own words
    const { code } = cause as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR')
      throw new EmbeddedError(`There is no database in ${dataDir}. Start the service first, or name its DATA_DIR.`, {
        cause,
      })
  }
}

/** A place of a fresh name: a DATA_DIR that was deleted and made anew must not find the old one's data. */
function outside(dataDir: string, near: string): Place {
  mkdirSync(OUTSIDE, { recursive: true, mode: 0o755 })
  chmodSync(OUTSIDE, 0o755)
  checkSpace(OUTSIDE)
  try {
    symlinkSync(join(OUTSIDE, randomBytes(8).toString('hex')), near)
  } catch (error) {
    // a start at the same moment was faster: its place is ours
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  return findPlace(dataDir)
}

function checkSpace(dir: string): void {
  const { bavail, bsize } = statfsSync(dir)
  if (bavail * bsize < NEEDED_BYTES) {
    throw new EmbeddedError(
      `The disk of ${dir} is full: ${Math.round((bavail * bsize) / 1024 ** 2)} MB free, ${NEEDED_BYTES / 1024 ** 2} MB needed. Free some, or choose another DATA_DIR.`,
    )
  }
}
