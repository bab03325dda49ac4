import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { TestInfo } from '@playwright/test'
import { build, type Plugin } from 'vite'

export type BundleOptions = {
  plugins?: Plugin[] | undefined
  /** Packages by their names, in place of those of node_modules. */
  alias?: Record<string, string>
  /** For Node.js, with its exports. */
  server?: boolean
}

/** Bundles the file of a folder for development, because libraries report more mistakes then. */
export async function bundle(folder: string, file: string, options: BundleOptions = {}): Promise<string> {
  const { plugins = [], alias = {}, server = false } = options
  // Vite sets it for a build unless a development server of this process has set it
  process.env['NODE_ENV'] = 'production'
  const built = await build({
    root: folder,
    configFile: false,
    // without the warning that `'use client'` means nothing here
    logLevel: 'error',
    mode: 'development',
    plugins,
    define: { 'process.env.NODE_ENV': '"development"' },
    resolve: { alias: { '@tollgate/widget': resolve('sdk/widget/dist'), ...alias } },
    ssr: { noExternal: true },
    build: {
      write: false,
      minify: false,
      ssr: server,
      rolldownOptions: { input: join(folder, file), output: { format: server ? 'es' : 'iife' } },
    },
  })
  if (!('output' in built)) throw new Error('expected one build')
  return built.output[0].code
}

/** Bundles an application that a test contains; the first of its files imports the others. */
export async function bundleApp(
  testInfo: TestInfo,
  files: Record<string, string>,
  options?: BundleOptions,
): Promise<string> {
  const folder = testInfo.outputPath('app')
  mkdirSync(folder, { recursive: true })
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return bundle(folder, Object.keys(files)[0] ?? '', options)
}
