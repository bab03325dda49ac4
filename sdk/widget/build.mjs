// Builds dist. Without a check of the types, which `npm run check` does: React, Vue and Svelte need not be installed.
import { spawnSync } from 'node:child_process'
import { copyFileSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = dirname(fileURLToPath(import.meta.url))
const dist = join(here, 'dist')
const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc')

rmSync(dist, { recursive: true, force: true })
const { status, stdout } = spawnSync(process.execPath, [tsc, '-p', here, '--noCheck'], { encoding: 'utf8' })
if (status !== 0) {
  process.stderr.write(stdout)
  process.exit(1)
}
// the types of the component are imported from its sources, so the compiler writes folders like those of the project
const built = join(dist, 'sdk/widget/src')
for (const name of readdirSync(built)) {
  renameSync(join(built, name), join(dist, name))
  if (!name.endsWith('.d.ts')) continue
  const text = readFileSync(join(dist, name), 'utf8')
  const types = text.replaceAll('../../../widget/types.ts', './types.js')
  writeFileSync(join(dist, name), types.replaceAll(/(from '\.\/\w+)\.ts'/g, "$1.js'"))
}
for (const folder of ['sdk', 'widget']) rmSync(join(dist, folder), { recursive: true, force: true })
copyFileSync(join(here, '../../widget/types.ts'), join(dist, 'types.d.ts'))
for (const name of ['Tollgate.svelte', 'Tollgate.svelte.d.ts']) copyFileSync(join(here, 'src', name), join(dist, name))
copyFileSync(join(here, '../../LICENSE'), join(here, 'LICENSE'))
