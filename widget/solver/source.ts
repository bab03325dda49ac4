import { download } from '../download.ts'
import type { Engine } from './engine.ts'
import { FILES } from './files.ts'
import { createWasmEngine } from './wasm.ts'

/** What an engine is created from: the compiled WebAssembly module, or the URL of the search in plain JavaScript. */
export type EngineSource = WebAssembly.Module | string

/**
 * The fastest engine in `folder` that this browser supports and the page's content security policy allows. Rejects only
 * if a file cannot be downloaded.
 */
export async function loadSource(folder: string): Promise<EngineSource> {
  // The script is downloaded too, into the HTTP cache: otherwise a slow network could exceed the worker's start timeout.
  for (const file of [FILES.simd, FILES.scalar, FILES.script]) {
    const reply = await download(folder + file)
    try {
      return await WebAssembly.compile(await reply.arrayBuffer())
    } catch {
      // No SIMD, no WebAssembly, or forbidden by policy; or this file is the script.
    }
  }
  return folder + FILES.script
}

/** The emitter of HashWX in `folder`. Rejects if it cannot be downloaded or WebAssembly is forbidden. */
export async function loadEmitter(folder: string): Promise<EngineSource> {
  return WebAssembly.compile(await (await download(folder + FILES.hashwx)).arrayBuffer())
}

/** Creates the engine; rejects if the source cannot run here. */
export async function loadEngine(source: EngineSource): Promise<Engine> {
  if (typeof source !== 'string') return createWasmEngine(source)
  const { createScriptEngine }: typeof import('./script.ts') = await import(/* @vite-ignore */ source)
  return createScriptEngine()
}
