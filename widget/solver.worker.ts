import { type Port, serve } from './serve.ts'
import { createJsEngine } from './sha256.ts'

/** As a worker this file serves the page that started it; a page that may not have workers imports it for a port. */
export function serveAt(port: Port): void {
  serve(port, createJsEngine())
}

if ('WorkerGlobalScope' in globalThis) serveAt(globalThis)
