import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { prune, readLockfile, runtimePackages, sbomOf } from './packages.mjs'

const lockfile = readLockfile('.')
const { version, dependencies, devDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  version: string
} & Record<'dependencies' | 'devDependencies', Record<string, string>>

test('every package of the lockfile is pinned by hash, from whatever registry, and no install script runs', () => {
  const packages = Object.entries(lockfile.packages).filter(
    ([path, { link }]) => path.includes('node_modules/') && !link,
  )
  expect(packages.length).toBeGreaterThan(300)
  const wrong = packages.filter(
    ([, { integrity, resolved }]) => !/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity ?? '') || resolved !== undefined,
  )
  expect(wrong).toEqual([])
  const npmrc = readFileSync('.npmrc', 'utf8')
  expect(npmrc).toMatch(/^ignore-scripts=true$/m)
  expect(npmrc).not.toContain('registry=')
})

test('a deployment gets its dependencies and no development package', () => {
  const isNeeded = (name: string) => runtimePackages(lockfile).has(`node_modules/${name}`)
  expect(Object.keys(dependencies).filter((name) => !isNeeded(name))).toEqual([])
  const tools = [...Object.keys(devDependencies), 'vitest', 'vite', 'esbuild', 'rolldown', 'playwright-core']
  // what a deployment needs for another package is there anyway
  expect(tools.filter((name) => isNeeded(name) && name !== 'yaml')).toEqual([])
})

test('pruning leaves what a deployment needs, nested before hoisted, with required and without optional peers', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-packages-'))
  try {
    const packages = {
      '': { dependencies: { '@s/a': '1' } },
      'node_modules/@s/a': {
        dependencies: { b: '2' },
        peerDependencies: { c: '1', d: '1' },
        peerDependenciesMeta: { d: { optional: true } },
      },
      'node_modules/@s/a/node_modules/b': { dependencies: { c: '1' } },
      'node_modules/b': {},
      'node_modules/c': {},
      'node_modules/d': { dependencies: { e: '1' } },
      'node_modules/d/node_modules/e': {},
    }
    const paths = Object.keys(packages).filter((path) => path !== '')
    for (const path of paths) mkdirSync(join(folder, path), { recursive: true })
    writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ packages }))
    prune(folder)
    const needed = ['node_modules/@s/a', 'node_modules/@s/a/node_modules/b', 'node_modules/c']
    expect(paths.filter((path) => existsSync(join(folder, path)))).toEqual(needed)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

test('the SBOM lists every dependency with its licence and hash, and refers only to its components', () => {
  const sbom = sbomOf(lockfile)
  expect(sbom).toMatchObject({
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: { type: 'application', name: 'tollgate', version } },
  })
  const packages = sbom.components.filter(({ purl }) => purl !== undefined)
  expect(packages.map(({ purl }) => purl)).toEqual(
    expect.arrayContaining(
      Object.entries(dependencies).map(([name, version]) => `pkg:npm/${name.replace('@', '%40')}@${version}`),
    ),
  )
  for (const component of packages)
    expect(component).toMatchObject({
      type: 'library',
      name: expect.stringMatching(/^[^/@]+$/),
      version: expect.stringMatching(/^\d/),
      hashes: [{ alg: 'SHA-512', content: expect.stringMatching(/^[0-9a-f]{128}$/) }],
      licenses: [{ expression: expect.stringMatching(/\S/) }],
    })
  const refs = ['tollgate', ...sbom.components.map((component) => component['bom-ref'])]
  expect(sbom.dependencies.map(({ ref }) => ref)).toEqual(refs)
  expect(refs).toEqual(expect.arrayContaining(sbom.dependencies.flatMap(({ dependsOn }) => dependsOn)))
})
