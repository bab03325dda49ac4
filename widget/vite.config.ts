import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'
import { precompress } from '../scripts/precompress.ts'
import { shrink } from './build/shrink.ts'
import { solverFolder } from './build/solver.ts'
import { englishText, textFolder } from './build/text.ts'

const TARGET = 'es2020'
/** For the browsers of es2020, every rule with :is() would be emitted twice. */
const CSS_TARGET = ['chrome92', 'firefox92', 'safari15.4']

/**
 * Builds dist/widget, which is served as `/widget.js`, one classic script, and `/widget/assets/…`, files with a content hash
 * in their path. The code refers to them relative to its own URL, so the service can run below a path.
 */
export default defineConfig({
  root: pathOf('.'),
  plugins: [solverFolder(TARGET, besideWidget), textFolder(besideWidget), englishText(), shrink(), precompress('hard')],
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

function besideWidget(file: string): string {
  return `widget/${file}`
}

function pathOf(file: string): string {
  return fileURLToPath(new URL(file, import.meta.url))
}
