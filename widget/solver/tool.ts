import { download } from '../download.ts'
import type { Engine } from './engine.ts'
import { FILES } from './files.ts'
import { createWasmEngine } from './wasm.ts'

/** What hands solve with: the search compiled to WebAssembly, or the address of the one in plain JavaScript. */
export type Tool = WebAssembly.Module | string

/**
 * The fastest tool in `folder` that this browser understands and this page's content policy allows. Rejects only if
 * nothing can be fetched.
 */
export async function findTool(folder: string): Promise<Tool> {
  // The script is fetched as well, into the browser's cache: a slow network must not make its hand look dead.
  for (const file of [FILES.simd, FILES.scalar, FILES.script]) {
    const reply = await download(folder + file)
    try {
      return await WebAssembly.compile(await reply.arrayBuffer())
    } catch {
      // Too old for vectors, too old for any of it, or forbidden; or the script.
    }
  }
  return folder + FILES.script
}

/** The engine that works with the tool; rejects if it cannot. */
export async function takeUp(tool: Tool): Promise<Engine> {
  if (typeof tool !== 'string') return createWasmEngine(tool)
  const { createScriptEngine }: typeof import('./script.ts') = await import(/* @vite-ignore */ tool)
  return createScriptEngine()
}
