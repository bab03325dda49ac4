import { download } from '../request.ts'
import { canCompile } from './allowed.ts'
import type { Engine } from './engine.ts'
import { FILES } from './files.ts'
import { createWasmEngine } from './wasm.ts'

/** What an engine is created from: the compiled WebAssembly module, or the URL of the search in plain JavaScript. */
export type EngineSource = WebAssembly.Module | string

/**
 * The fastest engine in `folder` that this browser supports, the page's content security policy allows and the network lets
 * through. Rejects if no file can be downloaded.
 */
export async function loadSource(folder: string): Promise<EngineSource> {
  for (const file of canCompile() ? [FILES.simd, FILES.scalar] : []) {
    try {
      return await compile(folder + file)
    } catch {
      // No SIMD, or not the file: a proxy or an offline page has answered, or nothing.
    }
  }
  // Into the HTTP cache: otherwise a slow network could exceed the worker's start timeout.
  await download(scriptOf(folder), (reply) => reply.arrayBuffer())
  return scriptOf(folder)
}

/** The emitter of HashWX in `folder`. Rejects if it cannot be downloaded or WebAssembly is forbidden. */
export const loadEmitter = (folder: string): Promise<EngineSource> => compile(folder + FILES.hashwx)

/** The URL of the search in plain JavaScript. */
export const scriptOf = (folder: string): string => folder + FILES.script

const compile = (url: string): Promise<WebAssembly.Module> =>
  download(url, async (reply) => WebAssembly.compile(await reply.arrayBuffer()))

/** Creates the engine; rejects if the source cannot run here. */
export async function loadEngine(source: EngineSource): Promise<Engine> {
  if (typeof source !== 'string') return createWasmEngine(source)
  const { createScriptEngine }: typeof import('./script.ts') = await import(/* @vite-ignore */ source)
  return createScriptEngine()
}
