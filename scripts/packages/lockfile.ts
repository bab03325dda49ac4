/** package-lock.json, and which of its packages a deployment needs. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../../', import.meta.url))

/** An entry of `packages` in a lockfile of version 3: what package.json says, and what npm adds. */
export type LockedPackage = {
  name?: string
  version?: string
  license?: string
  integrity?: string
  resolved?: string
  link?: boolean
  hasInstallScript?: boolean
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
  peerDependenciesMeta?: Record<string, { optional?: boolean }>
}

/** By path, such as `node_modules/pg`; the workspaces by their folders and the root as ''. */
export type Lockfile = { lockfileVersion: number; packages: Record<string, LockedPackage> }

export const readLockfile = (folder = root): Lockfile =>
  JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')) as Lockfile

/** The workspaces that are part of a deployment: the demo shop is built into it, with the SDK. */
const SHIPPED = ['', 'sdk/node', 'examples/shop']

/** Packages that others depend on for their types: @trpc/server requires `typescript`, graphile-worker several `@types`. */
const isForTypes = (name: string): boolean => name === 'typescript' || name.startsWith('@types/')

const INSTALLED = 'node_modules/'

/** The name of the package at a path. */
export const nameAt = (path: string): string => path.slice(path.lastIndexOf(INSTALLED) + INSTALLED.length)

/** The path that Node.js finds for `name` from the package at `from`; undefined if none is installed. */
function resolveFrom({ packages }: Lockfile, from: string, name: string): string | undefined {
  for (let at = from; ; ) {
    const path = `${at === '' ? '' : `${at}/`}${INSTALLED}${name}`
    const found = packages[path]
    if (found) return found.link ? found.resolved : path
    if (at === '') return undefined
    const outer = at.lastIndexOf(`/${INSTALLED}`)
    at = outer < 0 ? '' : at.slice(0, outer)
  }
}

/**
 * What a deployment needs, each path with the paths that it depends on: the dependencies, optional dependencies and
 * required peers of what is shipped. `npm ci --omit=dev` installs more: it follows optional peers, and so adds the test
 * runner, React and the bundler, because better-auth works with them.
 */
export function runtimePackages(lockfile: Lockfile): Map<string, string[]> {
  const needed = new Map<string, string[]>()
  const waiting = [...SHIPPED]
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const entry = lockfile.packages[path]
    if (needed.has(path) || !entry) continue
    const { dependencies = {}, optionalDependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} } = entry
    const peers = Object.keys(peerDependencies).filter((name) => peerDependenciesMeta[name]?.optional !== true)
    const names = [...Object.keys(dependencies), ...Object.keys(optionalDependencies), ...peers]
    const from = path
    const targets = names.filter((name) => !isForTypes(name)).flatMap((name) => resolveFrom(lockfile, from, name) ?? [])
    needed.set(path, [...new Set(targets)].toSorted())
    waiting.push(...targets)
  }
  return needed
}
