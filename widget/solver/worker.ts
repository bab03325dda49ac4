import type { Engine } from './engine.ts'
import { type Port, serve } from './serve.ts'
import type { Tool } from './tool.ts'
import { createWasmEngine } from './wasm.ts'

/** As a worker this file serves the page that started it; a page that may not have workers imports it for a port. */
export function serveAt(port: Port): void {
  serve(port, takeUp)
}

async function takeUp(tool: Tool): Promise<Engine> {
  if (typeof tool !== 'string') return createWasmEngine(tool)
  const { createScriptEngine }: typeof import('./script.ts') = await import(/* @vite-ignore */ tool)
  return createScriptEngine()
}

if ('WorkerGlobalScope' in globalThis) serveAt(globalThis)
