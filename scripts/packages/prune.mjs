// Removes from node_modules what a deployment does not need: everything but the packages in dist/sbom.json. Unlike `npm prune
// --omit=dev`, also optional peers (the test runner, the bundler, React) and TypeScript. Plain JavaScript, because a compiler would be
// one of the packages that it removes.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Where packages go before they are deleted: renaming takes a moment, and deleting them up to a minute. */
const REMOVED = 'node_modules/.tollgate-removed'

/**
 * Paths of the installed packages below `node_modules`, without links to workspaces, the outermost first.
 * @param {string} folder
 * @param {string} at
 * @returns {string[]}
 */
function installedIn(folder, at) {
  const below = `${at}node_modules`
  if (!existsSync(join(folder, below))) return []
  return readdirSync(join(folder, below), { withFileTypes: true }).flatMap((entry) => {
    if (!entry.isDirectory() || entry.name.startsWith('.')) return []
    const path = `${below}/${entry.name}`
    if (!entry.name.startsWith('@')) return [path, ...installedIn(folder, `${path}/`)]
    return readdirSync(join(folder, path), { withFileTypes: true })
      .filter((inner) => inner.isDirectory())
      .flatMap(({ name }) => [`${path}/${name}`, ...installedIn(folder, `${path}/${name}/`)])
  })
}

/**
 * Takes what `needed` does not contain out of node_modules. May be interrupted at any moment, and called again.
 * @param {string} folder
 * @param {ReadonlySet<string>} needed
 * @returns {{ kept: string[], removed: string[] }} as paths
 */
export function prune(folder, needed) {
  const trash = join(folder, REMOVED)
  mkdirSync(trash, { recursive: true })
  let moved = readdirSync(trash).length
  /** @param {string} path */
  const remove = (path) => {
    if (existsSync(join(folder, path))) renameSync(join(folder, path), join(trash, String(moved++)))
  }
  // npm's list would name packages that are gone, and launchers be links to nothing
  for (const name of ['.package-lock.json', '.bin']) remove(`node_modules/${name}`)
  const installed = installedIn(folder, '')
  const removed = installed.filter((path) => !needed.has(path))
  for (const path of removed) remove(path)
  return { kept: installed.filter((path) => needed.has(path)), removed }
}

/**
 * Deletes what `prune` has taken out, also an earlier one that was interrupted.
 * @param {string} folder
 */
export const deleteRemoved = (folder) => rm(join(folder, REMOVED), { recursive: true, force: true, maxRetries: 3 })

/**
 * The paths of the packages that a deployment needs.
 * @param {string} folder
 * @returns {Set<string>}
 */
export function neededIn(folder) {
  /** @type {{ components: { 'bom-ref': string }[] }} */
  const { components } = JSON.parse(readFileSync(join(folder, 'dist/sbom.json'), 'utf8'))
  return new Set(components.map((component) => component['bom-ref']))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = fileURLToPath(new URL('../../', import.meta.url))
  const { kept, removed } = prune(root, neededIn(root))
  await deleteRemoved(root)
  console.error(`Removed ${removed.length} packages that only the build needs; ${kept.length} remain.`)
}
