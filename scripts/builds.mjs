// Each build is a folder of its own below .builds, and dist a link to the newest. A service that is running keeps the
// files of the build that it started with.
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { isRunning } from './alone.mjs'

const BUILDS = '.builds'
/** In a build: the file that a process which makes it, or runs it (server/kit/process/build.ts), creates, with its id. */
const USED_BY = /^\.used-by-(\d+)$/

/**
 * Makes the folder of a new build. Returns its path relative to `root`.
 * @param {string} root
 */
export function newBuild(root) {
  mkdirSync(join(root, BUILDS), { recursive: true })
  const folder = mkdtempSync(join(root, BUILDS, 'build-'))
  // another account may run it
  chmodSync(folder, 0o755)
  writeFileSync(join(folder, `.used-by-${process.pid}`), '')
  return `${BUILDS}/${basename(folder)}`
}

/**
 * Makes `dist` a link to a complete build, in one step.
 * @param {string} root
 * @param {string} folder as newBuild returned it
 */
export function publishBuild(root, folder) {
  const [dist, link] = [join(root, 'dist'), join(root, `${folder}.link`)]
  symlinkSync(folder, link, 'junction')
  const former = lstatSync(dist, { throwIfNoEntry: false })
  // a build of an earlier version, which was made in place
  if (former?.isDirectory()) renameSync(dist, join(root, `${folder}.former`))
  // Windows does not replace a link
  else if (former && process.platform === 'win32') unlinkSync(dist)
  renameSync(link, dist)
}

/** A process that may not write into its build cannot note that it runs it. */
const UNNOTED_MS = 30 * 24 * 60 * 60 * 1000

/**
 * Removes all builds but the published one and those that a process runs or makes. One that no process has noted stays for 30 days.
 * @param {string} root
 */
export function removeOldBuilds(root) {
  const published = existsSync(join(root, 'dist')) ? basename(realpathSync(join(root, 'dist'))) : ''
  for (const { name } of readdirSync(join(root, BUILDS), { withFileTypes: true })) {
    const folder = join(root, BUILDS, name)
    // a link is one that a process had no time to publish
    const isLink = name.endsWith('.link')
    if (name.startsWith('build-') && name !== published && (isLink || !isUsed(folder)))
      rmSync(folder, { recursive: true, force: true })
  }
}

/** @param {string} folder */
function isUsed(folder) {
  const pids = readdirSync(folder).flatMap((name) => USED_BY.exec(name)?.slice(1).map(Number) ?? [])
  if (pids.length === 0) return Date.now() - statSync(folder).mtimeMs < UNNOTED_MS
  return pids.some(isRunning)
}
