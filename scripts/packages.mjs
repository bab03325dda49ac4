// The packages of a deployment: their list, and the removal of all others. `npm prune --omit=dev` and `npm sbom` follow the optional
// peers of better-auth, and so keep the bundler, the TypeScript compiler and React; `npm sbom` also leaves out packages that are peers
// of others, such as zod. Plain JavaScript, because a compiler is one of the packages that it removes.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The workspaces that are part of a deployment: the demo shop is built into it, with the SDK. */
const SHIPPED = ['', 'sdk/node', 'examples/shop']
const INSTALLED = 'node_modules/'

/** @typedef {{ packages: Record<string, Record<string, any>> }} Lockfile */

/** @param {string} folder @returns {Lockfile} */
export const readLockfile = (folder) => JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'))

/** Packages that others depend on for their types: @trpc/server requires `typescript`, graphile-worker several `@types`. */
const isForTypes = (name) => name === 'typescript' || name.startsWith('@types/')

/** The path that Node.js finds for `name` from the package at `from`; undefined if none is installed. */
function resolveFrom({ packages }, from, name) {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf(`/${INSTALLED}`)))) {
    const path = `${at === '' ? '' : `${at}/`}${INSTALLED}${name}`
    if (packages[path]) return packages[path].link ? packages[path].resolved : path
    if (at === '') return undefined
  }
}

/**
 * What a deployment needs, each path with the paths that it depends on: the dependencies, optional dependencies and required peers of
 * what is shipped.
 * @param {Lockfile} lockfile
 * @returns {Map<string, string[]>}
 */
export function runtimePackages(lockfile) {
  const needed = new Map()
  const waiting = [...SHIPPED]
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const entry = lockfile.packages[path]
    if (needed.has(path) || !entry) continue
    const peers = Object.keys(entry.peerDependencies ?? {}).filter(
      (name) => entry.peerDependenciesMeta?.[name]?.optional !== true,
    )
    const names = [...Object.keys({ ...entry.dependencies, ...entry.optionalDependencies }), ...peers]
    const from = path
    const targets = names.filter((name) => !isForTypes(name)).flatMap((name) => resolveFrom(lockfile, from, name) ?? [])
    needed.set(path, [...new Set(targets)].toSorted())
    waiting.push(...targets)
  }
  return needed
}

function componentOf(path, { name: named, version, license, integrity }) {
  const full = named ?? path.slice(path.lastIndexOf(INSTALLED) + INSTALLED.length)
  const [group, name] = full.startsWith('@') ? full.split('/') : [undefined, full]
  const isRegistered = path.includes(INSTALLED)
  return {
    type: isRegistered || group ? 'library' : 'application',
    'bom-ref': path || 'tollgate',
    group,
    name,
    version,
    licenses: license ? [{ expression: license }] : undefined,
    purl: isRegistered ? `pkg:npm/${full.split('/').map(encodeURIComponent).join('/')}@${version}` : undefined,
    hashes: integrity
      ? [{ alg: 'SHA-512', content: Buffer.from(integrity.slice('sha512-'.length), 'base64').toString('hex') }]
      : undefined,
  }
}

/**
 * A CycloneDX 1.6 document of what a deployment contains.
 * @param {Lockfile} lockfile
 */
export function sbomOf(lockfile) {
  const needed = [...runtimePackages(lockfile)].toSorted(([a], [b]) => (a < b ? -1 : 1))
  const [component, ...components] = needed.map(([path]) => componentOf(path, lockfile.packages[path] ?? {}))
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { lifecycles: [{ phase: 'build' }], component },
    components,
    dependencies: needed.map(([path, dependsOn]) => ({ ref: path || 'tollgate', dependsOn })),
  }
}

/** @param {string} folder @param {string} file */
export const writeSbom = (folder, file) =>
  writeFileSync(file, `${JSON.stringify(sbomOf(readLockfile(folder)), null, 2)}\n`)

/**
 * Removes what a deployment does not need from node_modules. May be interrupted and called again.
 * @param {string} folder
 */
export function prune(folder) {
  const lockfile = readLockfile(folder)
  const needed = runtimePackages(lockfile)
  const others = Object.keys(lockfile.packages).filter((path) => path.startsWith(INSTALLED) && !needed.has(path))
  const removed = others.filter((path) => !lockfile.packages[path]?.link && existsSync(join(folder, path)))
  if (removed.length > 0) console.error(`Removing ${removed.length} packages that only the build needs.`)
  // npm's own list would name packages that are gone, and launchers be links to nothing
  for (const path of [...removed, 'node_modules/.package-lock.json', 'node_modules/.bin'])
    rmSync(join(folder, path), { recursive: true, force: true, maxRetries: 3 })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) prune(fileURLToPath(new URL('../', import.meta.url)))
