import { existsSync, realpathSync } from 'node:fs'
import { extname, resolve } from 'node:path'
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
