import { fileURLToPath } from 'node:url'
import { build, defineConfig, type Plugin } from 'vite'

const TARGET = 'es2020'
const SOLVER_FILE = pathOf('solver.file')
/** With es2020's browsers as the target every rule with :is() would be written twice. */
const CSS_TARGET = ['chrome92', 'firefox92', 'safari15.4']

/**
 * Builds dist/widget, which is served as `/widget.js`, one classic script, and `/widget/assets/…`, files whose names
 * change with their content. The code knows them relative to its own address, so the service may live below a path.
 */
export default defineConfig({
  root: pathOf('.'),
  plugins: [solverFile()],
  experimental: { renderBuiltUrl: (file) => besideWidget(file) },
  build: {
    target: TARGET,
    cssTarget: CSS_TARGET,
    outDir: '../dist/widget',
    emptyOutDir: true,
    copyPublicDir: false,
    assetsInlineLimit: 0,
    modulePreload: false,
    rolldownOptions: {
      input: pathOf('entry.ts'),
      output: {
        format: 'iife',
        entryFileNames: 'widget.js',
        assetFileNames: 'assets/[name]-[hash][extname]',
      },
    },
  },
})

/**
 * `./solver.file`: solver.worker.ts as a file of its own, and its path as the value. Vite's `?worker&url` would do, but
 * drops the exports, which the page needs where it may not start workers.
 */
function solverFile(): Plugin {
  return {
    name: 'solver-file',
    resolveId: (id) => (id === './solver.file' ? SOLVER_FILE : undefined),
    async load(id) {
      if (id !== SOLVER_FILE) return undefined
      const built = await build({
        configFile: false,
        logLevel: 'warn',
        build: {
          target: TARGET,
          write: false,
          rolldownOptions: {
            input: pathOf('solver.worker.ts'),
            preserveEntrySignatures: 'strict',
            output: { format: 'es', entryFileNames: 'assets/[name]-[hash].js' },
          },
        },
      })
      if (Array.isArray(built) || !('output' in built)) throw new TypeError('expected one build')
      const [{ fileName, code, moduleIds }] = built.output
      for (const part of moduleIds) this.addWatchFile(part)
      this.emitFile({ type: 'asset', fileName, source: code })
      return `export default ${JSON.stringify(besideWidget(fileName))}`
    },
  }
}

function besideWidget(file: string): string {
  return `widget/${file}`
}

function pathOf(file: string): string {
  return fileURLToPath(new URL(file, import.meta.url))
}
