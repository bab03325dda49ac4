// Packs the SDKs, the package of the component and the plugin for WordPress into dist/sdk, as a deployment serves them at /sdk/: npm
// tarballs, a Python wheel, and zip files for Composer and WordPress. Needs no network, no Python and no PHP. The same sources give the
// same bytes on every machine: fixed times, sorted names, and fflate for the compression, because what Node's zlib writes differs between
// versions of Node.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { gzipSync, strToU8, zipSync } from 'fflate'
import { parse } from 'smol-toml'

const NPM = ['node', 'widget'].map((name) => fileURLToPath(new URL(`../sdk/${name}`, import.meta.url)))
const PYTHON = fileURLToPath(new URL('../sdk/python', import.meta.url))
const PHP = fileURLToPath(new URL('../sdk/php', import.meta.url))
const WORDPRESS = fileURLToPath(new URL('../integrations/wordpress', import.meta.url))
const LICENSE = fileURLToPath(new URL('../LICENSE', import.meta.url))

/** @typedef {{ name: string, version: string, file: string, content: Uint8Array, composer?: object, plugin?: true }} Packed */

/** Packs `dist` of a package for npm. @param {string} cwd @returns {Packed} */
function packNpm(cwd) {
  const { name, version } = JSON.parse(readFileSync(join(cwd, 'package.json'), 'utf8'))
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-pack-'))
  try {
    // npm keeps the permissions of the files, which depend on who checked them out
    const copy = join(folder, 'package')
    cpSync(cwd, copy, { recursive: true, filter: (path) => basename(path) !== 'node_modules' })
    for (const entry of readdirSync(copy, { recursive: true, withFileTypes: true }))
      if (entry.isFile()) chmodSync(join(entry.parentPath, entry.name), 0o644)
    const cli = process.env['npm_execpath']
    const args = ['pack', '--ignore-scripts', '--loglevel=error', '--pack-destination', folder]
    const [program, first] = cli?.endsWith('.js')
      ? [process.execPath, [cli]]
      : [process.platform === 'win32' ? 'npm.cmd' : 'npm', []]
    const { status, stderr, error } = spawnSync(program, [...first, ...args], { cwd: copy, encoding: 'utf8' })
    if (status !== 0) throw new Error(`npm pack failed: ${error?.message ?? stderr}`)
    const file = readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? ''
    // npm gives every entry the same time and no owner; only the compression depends on the machine
    const content = gzipSync(gunzipSync(readFileSync(join(folder, file))), { level: 9, mtime: 0 })
    return { name, version, file, content }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The fields of a wheel's METADATA, from [project] of pyproject.toml, as setuptools writes them. */
function describePython(project, version) {
  const fields = [
    ['Metadata-Version', '2.1'],
    ['Name', project.name],
    ['Version', version],
    ['Summary', project.description],
    ['Keywords', project.keywords.join(',')],
    ...project.classifiers.map((classifier) => ['Classifier', classifier]),
    ['Requires-Python', project['requires-python']],
    ['Description-Content-Type', 'text/markdown'],
    ['License-File', 'LICENSE'],
  ]
  const known = new Set([
    'name',
    'description',
    'readme',
    'requires-python',
    'dynamic',
    'dependencies',
    'keywords',
    'classifiers',
  ])
  const unknown = Object.keys(project).filter((key) => !known.has(key))
  if (unknown.length > 0) throw new Error(`pyproject.toml: the wheel does not know ${unknown.join(', ')}`)
  if (project.dependencies.length > 0) throw new Error('pyproject.toml: the wheel has no dependencies')
  const readme = readFileSync(join(PYTHON, project.readme), 'utf8')
  return `${fields.map(([name, value]) => `${name}: ${value}\n`).join('')}\n${readme}`
}

/** A wheel of the pure Python package in sdk/python/src (PEP 427). @returns {Packed} */
function packPython() {
  const { project } = parse(readFileSync(join(PYTHON, 'pyproject.toml'), 'utf8'))
  const [, version = ''] =
    /^VERSION = "([^"]+)"$/m.exec(readFileSync(join(PYTHON, 'src/tollgate/version.py'), 'utf8')) ?? []
  const stem = `${project.name.replaceAll('-', '_')}-${version}`
  const info = `${stem}.dist-info`
  const modules = readdirSync(join(PYTHON, 'src/tollgate'))
    .filter((file) => /\.py$|^py\.typed$/.test(file))
    .toSorted()
  /** @type {[string, Uint8Array][]} */
  const files = [
    ...modules.map((file) => [`tollgate/${file}`, readFileSync(join(PYTHON, 'src/tollgate', file))]),
    [`${info}/LICENSE`, readFileSync(LICENSE)],
    [`${info}/METADATA`, strToU8(describePython(project, version))],
    [`${info}/WHEEL`, strToU8('Wheel-Version: 1.0\nGenerator: tollgate\nRoot-Is-Purelib: true\nTag: py3-none-any\n')],
    [`${info}/top_level.txt`, strToU8('tollgate\n')],
  ]
  const record = files.map(([path, content]) => {
    const digest = createHash('sha256').update(content).digest('base64url')
    return `${path},sha256=${digest},${content.length}\n`
  })
  files.push([`${info}/RECORD`, strToU8(`${record.join('')}${info}/RECORD,,\n`)])
  return { name: project.name, version, file: `${stem}-py3-none-any.whl`, content: zip(files) }
}

/** @param {[string, Uint8Array][]} files */
function zip(files) {
  // the earliest time in a zip file; fflate writes local time, so a local one is the same everywhere
  const options = { level: 9, mtime: new Date(1980, 0, 1), os: 3, attrs: 0o100644 << 16 }
  return zipSync(Object.fromEntries(files.map(([path, content]) => [path, [new Uint8Array(content), options]])))
}

/** The files below a folder, sorted, under another folder's name in an archive. @returns {[string, Uint8Array][]} */
const filesBelow = (folder, under) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .toSorted()
    .map((path) => [`${under}/${path}`, readFileSync(join(folder, path))])

/** sdk/php without tests and examples, in one folder, which Composer removes. @returns {Packed} */
function packPhp() {
  const composer = JSON.parse(readFileSync(join(PHP, 'composer.json'), 'utf8'))
  const content = zip([
    ['tollgate/LICENSE', readFileSync(LICENSE)],
    ...['README.md', 'autoload.php', 'composer.json'].map(
      (path) => /** @type {[string, Uint8Array]} */ ([`tollgate/${path}`, readFileSync(join(PHP, path))]),
    ),
    ...filesBelow(join(PHP, 'src'), 'tollgate/src'),
  ])
  const { name, version } = composer
  return { name, version, file: `tollgate-php-${version}.zip`, content, composer }
}

/** The plugin for WordPress with the PHP SDK, in one folder, as WordPress expects it. @returns {Packed} */
function packWordPress() {
  const [, version = ''] = /^Stable tag: (.+)$/m.exec(readFileSync(join(WORDPRESS, 'readme.txt'), 'utf8')) ?? []
  const content = zip([
    ['tollgate/LICENSE', readFileSync(LICENSE)],
    ...filesBelow(WORDPRESS, 'tollgate'),
    ...filesBelow(join(PHP, 'src'), 'tollgate/sdk'),
  ])
  return { name: 'tollgate-wordpress', version, file: `tollgate-wordpress-${version}.zip`, content, plugin: true }
}

/**
 * What the archives were built from, as an in-toto statement with SLSA's predicate. It is not signed: building the commit again
 * gives the same archives.
 * @param {Packed[]} packed
 */
function provenanceOf(packed) {
  const git = (...args) => spawnSync('git', args, { cwd: NPM[0], encoding: 'utf8' }).stdout?.trim()
  const commit = git('rev-parse', 'HEAD')
  const isChanged = git('status', '--porcelain') !== ''
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: packed.map(({ file, content }) => ({
      name: file,
      digest: { sha256: createHash('sha256').update(content).digest('hex') },
    })),
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: 'npm run packages',
        externalParameters: {},
        // without a commit if the sources differ from it
        resolvedDependencies: commit && !isChanged ? [{ digest: { gitCommit: commit } }] : [],
      },
      runDetails: { builder: { id: 'scripts/sdks.mjs' } },
    },
  }
}

/** Packs everything into `folder`, with a list (sdks.json), and removes everything else. The packages for npm must be compiled. */
export function packSdks(folder) {
  const packed = [...NPM.map(packNpm), packPython(), packPhp(), packWordPress()]
  const versions = new Set(packed.map(({ version }) => version))
  if (versions.size > 1) throw new Error(`the packages have different versions: ${[...versions].join(', ')}`)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const { file, content } of packed) writeFileSync(join(folder, file), content)
  const write = (name, value) => writeFileSync(join(folder, name), JSON.stringify(value))
  const provenance = `tollgate-${[...versions].join()}.provenance.json`
  write(provenance, provenanceOf(packed))
  write('sdks.json', {
    packages: packed.map(({ name, version, file, composer, plugin }) => ({ name, version, file, composer, plugin })),
    provenance,
  })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) packSdks(process.argv[2] ?? 'dist/sdk')
