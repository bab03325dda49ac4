import { existsSync, readFileSync } from 'node:fs'
import { favicon } from './drawings.ts'

export type Asset = { readonly type: string; readonly body: string }

/** The files that pages refer to, by path. Read once, at the start. */
export function readAssets(): ReadonlyMap<string, Asset> {
  return new Map([
    ['/shop.css', { type: 'text/css; charset=utf-8', body: readBeside('shop.css') }],
    ['/shop.js', { type: 'text/javascript; charset=utf-8', body: readBeside('shop.js') }],
    ['/favicon.svg', { type: 'image/svg+xml', body: favicon.toString() }],
  ])
}

/** The compiler moves this module to dist/e2e/shop and leaves the stylesheet and the script where they were written. */
function readBeside(name: string): string {
  const beside = new URL(name, import.meta.url)
  return readFileSync(existsSync(beside) ? beside : new URL(`../../../e2e/shop/${name}`, import.meta.url), 'utf8')
}
