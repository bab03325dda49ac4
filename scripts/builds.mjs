// Each build is a folder of its own below .builds, and dist a link to the newest, so that a service that is running keeps the files
// of the build that it started with.
import { lstatSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, symlinkSync, unlinkSync } from 'node:fs'
import { basename, join } from 'node:path'

/** How many builds stay: the newest, and those of services that were not restarted yet. */
const KEPT = 3

/**
 * Makes the folder of a new build, and returns its path.
 * @param {string} root
 */
export function newBuild(root) {
  const folder = join(root, '.builds', `build-${Date.now()}`)
  mkdirSync(folder, { recursive: true })
  return folder
}

/**
 * Makes `dist` a link to a complete build, in one step, and removes old builds.
 * @param {string} root
 * @param {string} folder as newBuild returned it
 */
export function publishBuild(root, folder) {
  const [dist, link] = [join(root, 'dist'), join(root, '.builds/dist')]
  rmSync(link, { force: true })
  symlinkSync(`.builds/${basename(folder)}`, link, 'junction')
  const former = lstatSync(dist, { throwIfNoEntry: false })
  if (former?.isDirectory()) rmSync(dist, { recursive: true })
  // Windows does not replace a link
  else if (former && process.platform === 'win32') unlinkSync(dist)
  renameSync(link, dist)
  const builds = readdirSync(join(root, '.builds'))
    .filter((name) => name.startsWith('build-'))
    .map((name) => ({ path: join(root, '.builds', name), made: statSync(join(root, '.builds', name)).mtimeMs }))
  for (const { path } of builds.toSorted((a, b) => b.made - a.made).slice(KEPT)) rmSync(path, { recursive: true })
}
