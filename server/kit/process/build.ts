import { existsSync, realpathSync, writeFileSync } from 'node:fs'
import { extname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * The folder of the build that this process runs, or the newest one if it runs the sources. `dist` is a link to the newest
 * build, which another build moves; this is the folder behind it.
 */
export const BUILD = extname(import.meta.url) === '.js' ? fileURLToPath(new URL('../../..', import.meta.url)) : newest()

function newest(): string {
  const dist = resolve('dist')
  return existsSync(dist) ? realpathSync(dist) : dist
}

/** Keeps the next build from removing the folder while this process runs. */
export function keepBuild(): void {
  try {
    writeFileSync(join(BUILD, `.used-by-${process.pid}`), '')
  } catch {
    // nothing is built where nothing can be written, as in an image
  }
}
