/**
 * Removes from node_modules what a deployment does not need: everything but the packages in dist/sbom.json. Unlike `npm
 * prune --omit=dev`, also optional peers (the test runner, the bundler, React) and TypeScript.
 *
 *   tsx scripts/packages/prune.ts
 */
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readLockfile, root, runtimePackages } from './lockfile.ts'

/** Paths of the installed packages below `node_modules`, without links to workspaces, the outermost first. */
function installedIn(folder: string, at: string): string[] {
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

/** Removes what `needed` does not contain. Returns what remains and what was removed, as paths. */
export function prune(folder: string, needed: ReadonlySet<string>): { kept: string[]; removed: string[] } {
  const [kept, removed]: [string[], string[]] = [[], []]
  for (const path of installedIn(folder, '')) (needed.has(path) ? kept : removed).push(path)
  for (const path of removed) rmSync(join(folder, path), { recursive: true, force: true })
  // launchers of removed packages would be links to nothing, and npm's list would name packages that are gone
  for (const name of ['.bin', '.package-lock.json'])
    rmSync(join(folder, 'node_modules', name), { recursive: true, force: true })
  return { kept, removed }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { kept, removed } = prune(root, new Set(runtimePackages(readLockfile()).keys()))
  console.error(`Removed ${removed.length} packages that only the build needs; ${kept.length} remain.`)
}
