import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { lockfileFaults, settingsFaults } from './check.ts'
import { type Lockfile, readLockfile, root, runtimePackages } from './lockfile.ts'
import { deleteRemoved, prune } from './prune.mjs'
import { sbomOf } from './sbom.ts'

const lockfile = readLockfile()
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  dependencies: Record<string, string>
  devDependencies: Record<string, string>
}

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-packages-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const pinned = { version: '1.0.0', integrity: `sha512-${'A'.repeat(86)}==` }
const locked = (packages: Lockfile['packages']): Lockfile => ({ lockfileVersion: 3, packages })

test.each<[string, Lockfile, Record<string, string>]>([
  ['no sha512 integrity', locked({ 'node_modules/a': { version: '1.0.0' } }), {}],
  [
    'no sha512 integrity',
    locked({ 'node_modules/a': { ...pinned, integrity: 'sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=' } }),
    {},
  ],
  [
    'names where it comes from',
    locked({ 'node_modules/a': { ...pinned, resolved: 'https://mirror.example/a.tgz' } }),
    {},
  ],
  ['has an install script', locked({ 'node_modules/@a/b': { ...pinned, hasInstallScript: true } }), { a: 'why' }],
  ['has no install script', locked({ 'node_modules/a': pinned }), { a: 'why' }],
  ['lockfileVersion is 1', { lockfileVersion: 1, packages: {} }, {}],
])('the check of the lockfile reports: %s', (fault, broken, allowed) => {
  expect(lockfileFaults(broken, allowed).join('\n')).toContain(fault)
})

test('every package of the lockfile is pinned by hash, and its install scripts are listed', () => {
  const listed = JSON.parse(readFileSync(join(root, 'scripts/packages/installScripts.json'), 'utf8'))
  expect(lockfileFaults(lockfile, listed)).toEqual([])
  expect(Object.values(lockfile.packages).filter(({ integrity }) => integrity).length).toBeGreaterThan(500)
})

test('the check of the settings wants ignore-scripts, no registry and no script that npm runs by itself', () => {
  const npmrc = 'ignore-scripts=true\nsave-exact=true\n'
  expect(settingsFaults(npmrc, { 'package.json': { scripts: { start: 'x' } } })).toEqual([])
  expect(settingsFaults('save-exact=true', {})).toEqual(['.npmrc does not set ignore-scripts=true'])
  expect(settingsFaults('ignore-scripts=false', {})).toHaveLength(1)
  expect(settingsFaults(`${npmrc}@a:registry=https://mirror.example`, {})).toHaveLength(1)
  expect(settingsFaults(npmrc, { 'a/package.json': { scripts: { postinstall: 'x' } } })).toHaveLength(1)
})

test('a deployment gets its dependencies and no development package', () => {
  const needed = runtimePackages(lockfile)
  const isNeeded = (name: string) => needed.has(`node_modules/${name}`)
  expect(Object.keys(manifest.dependencies).filter((name) => !isNeeded(name))).toEqual([])
  const tools = [...Object.keys(manifest.devDependencies), 'vitest', 'vite', 'esbuild', 'rolldown', 'playwright-core']
  expect(tools.filter(isNeeded)).toEqual([])
})

test('a dependency is found where Node.js finds it: nested before hoisted, required peers too, optional peers not', () => {
  const { packages } = locked({
    '': { dependencies: { a: '1' } },
    'node_modules/a': {
      ...pinned,
      dependencies: { b: '2' },
      peerDependencies: { c: '1', d: '1' },
      peerDependenciesMeta: { d: { optional: true } },
    },
    'node_modules/a/node_modules/b': { ...pinned, dependencies: { c: '1' } },
    'node_modules/b': pinned,
    'node_modules/c': pinned,
    'node_modules/d': pinned,
  })
  expect([...runtimePackages(locked(packages)).keys()].toSorted()).toEqual([
    '',
    'node_modules/a',
    'node_modules/a/node_modules/b',
    'node_modules/c',
  ])
})

test('pruning leaves what a deployment needs, nested and scoped, and removes the rest', async () => {
  const paths = ['a', 'a/node_modules/b', 'b', '@s/c', '@s/d', '.bin']
  for (const path of paths) mkdirSync(join(folder, 'node_modules', path), { recursive: true })
  writeFileSync(join(folder, 'node_modules/.package-lock.json'), '{}')
  const needed = ['node_modules/a', 'node_modules/a/node_modules/b', 'node_modules/@s/d']
  expect(prune(folder, new Set(needed)).removed).toEqual(['node_modules/@s/c', 'node_modules/b'])
  await deleteRemoved(folder)
  expect(readdirSync(join(folder, 'node_modules')).toSorted()).toEqual(['@s', 'a'])
  expect(needed.every((path) => existsSync(join(folder, path)))).toBe(true)
})

test('the SBOM has the required fields of CycloneDX 1.6 and lists the dependencies', () => {
  const sbom = sbomOf(lockfile)
  expect(sbom).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.6', version: 1 })
  expect(sbom.serialNumber).toMatch(/^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/)
  expect(sbom.metadata.component).toMatchObject({ type: 'application', name: 'tollgate', version: '0.1.0' })
  const purls = sbom.components.map((component) => ('purl' in component ? component.purl : undefined))
  for (const [name, version] of Object.entries(manifest.dependencies))
    expect(purls).toContain(`pkg:npm/${name.replace('@', '%40')}@${version}`)
  const packages = sbom.components.filter((component) => 'purl' in component)
  const own = sbom.components.filter((component) => !('purl' in component))
  expect(own.map(({ name, type }) => [name, type])).toEqual([
    ['tollgate-example-shop', 'application'],
    ['node', 'library'],
  ])
  for (const component of packages)
    expect(component).toMatchObject({
      type: 'library',
      name: expect.stringMatching(/^[^/@]+$/),
      version: expect.stringMatching(/^\d/),
      hashes: [{ alg: 'SHA-512', content: expect.stringMatching(/^[0-9a-f]{128}$/) }],
      licenses: [{ expression: expect.stringMatching(/\S/) }],
    })
})

test('every reference of the SBOM is to one of its components, and the same lockfile gives the same bytes', () => {
  const sbom = sbomOf(lockfile)
  const refs = ['tollgate', ...sbom.components.map((component) => component['bom-ref'])]
  expect(new Set(refs).size).toBe(refs.length)
  expect(sbom.dependencies.map(({ ref }) => ref)).toEqual(refs)
  expect(refs).toEqual(expect.arrayContaining(sbom.dependencies.flatMap(({ dependsOn }) => dependsOn)))
  expect(JSON.stringify(sbomOf(readLockfile()))).toBe(JSON.stringify(sbom))
})
