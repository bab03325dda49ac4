/**
 * Checks that the lockfile pins what is installed by its hash, from whatever registry, and that no package runs code when
 * it is installed.
 *
 *   tsx scripts/packages/check.ts
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Lockfile, nameAt, readLockfile, root } from './lockfile.ts'

/** Packages with an install script, by name, with the reason that it need not run. */
type InstallScripts = Record<string, string>

const SHA512 = /^sha512-[A-Za-z0-9+/]{86}==$/
const RUN_BY_NPM = ['preinstall', 'install', 'postinstall', 'prepublish', 'preprepare', 'prepare', 'postprepare']

/** What is wrong with the lockfile, one sentence each. */
export function lockfileFaults({ lockfileVersion, packages }: Lockfile, installScripts: InstallScripts): string[] {
  const faults: string[] = []
  if (lockfileVersion !== 3) faults.push(`lockfileVersion is ${lockfileVersion}, not 3`)
  const scripted = new Set<string>()
  for (const [path, entry] of Object.entries(packages)) {
    const { integrity, resolved, link, hasInstallScript } = entry
    if (hasInstallScript) scripted.add(nameAt(path))
    if (link || !path.includes('node_modules/')) continue
    if (!SHA512.test(integrity ?? '')) faults.push(`${path} has no sha512 integrity`)
    if (resolved !== undefined) faults.push(`${path} names where it comes from: ${resolved}`)
  }
  for (const name of scripted)
    if (!(name in installScripts))
      faults.push(
        `${name} has an install script: find out what it does, and add it to scripts/packages/installScripts.json`,
      )
  for (const name of Object.keys(installScripts))
    if (!scripted.has(name)) faults.push(`${name} is listed in installScripts.json, but has no install script`)
  return faults
}

/** What is wrong with .npmrc and the project's own package.json files, one sentence each. */
export function settingsFaults(
  npmrc: string,
  manifests: Record<string, { scripts?: Record<string, string> }>,
): string[] {
  const settings = new Map(npmrc.split('\n').map((line) => [line.split('=')[0]?.trim(), line.split('=')[1]?.trim()]))
  const faults: string[] = []
  if (settings.get('ignore-scripts') !== 'true') faults.push('.npmrc does not set ignore-scripts=true')
  for (const key of settings.keys())
    if (key === 'registry' || key?.includes(':')) faults.push(`.npmrc names a registry: ${key}`)
  for (const [path, { scripts = {} }] of Object.entries(manifests))
    for (const name of RUN_BY_NPM) if (name in scripts) faults.push(`${path} has the script ${name}, which never runs`)
  return faults
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const read = (path: string) => readFileSync(join(root, path), 'utf8')
  const lockfile = readLockfile()
  const workspaces = Object.keys(lockfile.packages).filter((path) => !path.includes('node_modules/'))
  const manifests = workspaces.map((path) => {
    const file = join(path, 'package.json')
    return [file, JSON.parse(read(file))] as const
  })
  const faults = [
    ...lockfileFaults(lockfile, JSON.parse(read('scripts/packages/installScripts.json')) as InstallScripts),
    ...settingsFaults(read('.npmrc'), Object.fromEntries(manifests)),
  ]
  if (faults.length > 0) {
    console.error(faults.join('\n'))
    process.exit(1)
  }
}
