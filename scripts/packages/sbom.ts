/**
 * Writes the list of what a deployment contains, as CycloneDX 1.6. Made from the lockfile and not by `npm sbom`, which
 * writes 1.5 and leaves out dependencies that are peers as well, such as zod.
 *
 *   tsx scripts/packages/sbom.ts dist/sbom.json
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { v5 } from 'uuid'
import { type LockedPackage, type Lockfile, nameAt, readLockfile, runtimePackages } from './lockfile.ts'

/** A package URL, https://github.com/package-url/purl-spec. */
const purl = (name: string, version: string): string =>
  `pkg:npm/${name.split('/').map(encodeURIComponent).join('/')}@${encodeURIComponent(version)}`

function componentOf(path: string, entry: LockedPackage) {
  const full = entry.name ?? nameAt(path)
  const [group, name] = full.startsWith('@') ? full.split('/') : [undefined, full]
  const { version, license, integrity } = entry
  const registered = path.includes('node_modules/') && version !== undefined
  return {
    type: registered || group ? 'library' : 'application',
    'bom-ref': path === '' ? 'tollgate' : path,
    ...(group ? { group } : {}),
    name: name ?? full,
    ...(version ? { version } : {}),
    ...(license ? { licenses: [{ expression: license }] } : {}),
    ...(registered ? { purl: purl(full, version) } : {}),
    ...(integrity
      ? { hashes: [{ alg: 'SHA-512', content: Buffer.from(integrity.slice(7), 'base64').toString('hex') }] }
      : {}),
  }
}

/** A CycloneDX document. The same lockfile gives the same bytes, so it has no time. */
export function sbomOf(lockfile: Lockfile) {
  const needed = [...runtimePackages(lockfile)].toSorted(([a], [b]) => (a < b ? -1 : 1))
  const [component, ...components] = needed.map(([path]) => componentOf(path, lockfile.packages[path] ?? {}))
  const content = {
    metadata: { lifecycles: [{ phase: 'build' }], component },
    components,
    dependencies: needed.map(([path, targets]) => ({ ref: path === '' ? 'tollgate' : path, dependsOn: targets })),
  }
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${v5(JSON.stringify(content), v5.URL)}`,
    version: 1,
    ...content,
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const file = process.argv[2] ?? 'dist/sbom.json'
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `${JSON.stringify(sbomOf(readLockfile()), null, 2)}\n`)
}
