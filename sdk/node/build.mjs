// Builds dist/esm and dist/cjs, which are packed and which the demo shop imports.
import { spawnSync } from 'node:child_process'
import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'

const here = dirname(fileURLToPath(import.meta.url))
const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc')

rmSync(join(here, 'dist'), { recursive: true, force: true })
for (const [format, config] of [
  ['esm', 'tsconfig.json'],
  ['cjs', 'tsconfig.cjs.json'],
]) {
  const { status, stdout } = spawnSync(process.execPath, [tsc, '-p', join(here, config)], { encoding: 'utf8' })
  if (status !== 0) {
    process.stderr.write(stdout)
    process.exit(1)
  }
  const folder = join(here, 'dist', format)
  // declarations keep the extension of the sources, which only newer compilers resolve
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.d.ts'))) {
    const text = readFileSync(join(folder, name), 'utf8')
    writeFileSync(join(folder, name), text.replace(/(from '\.\/\w+)\.ts'/g, "$1.js'"))
  }
}
// the command line reads YAML, and the package has no dependencies
const yaml = dirname(createRequire(import.meta.url).resolve('yaml/package.json'))
await build({
  root: here,
  configFile: false,
  logLevel: 'error',
  build: {
    target: 'node18',
    outDir: 'dist/esm',
    emptyOutDir: false,
    minify: false,
    lib: { entry: 'dist/esm/yaml.js', formats: ['es'], fileName: () => 'yaml.js' },
    rolldownOptions: { output: { banner: `/* The package yaml.\n${readFileSync(join(yaml, 'LICENSE'), 'utf8')}*/` } },
  },
})
copyFileSync(join(here, '../../LICENSE'), join(here, 'LICENSE'))
writeFileSync(join(here, 'dist/cjs/package.json'), '{ "type": "commonjs" }\n')
