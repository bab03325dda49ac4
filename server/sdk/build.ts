import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { gzipSync } from 'node:zlib'

const BUILT = resolve('dist/sdk')

/** A package of an SDK that the build has made (scripts/sdks.mjs). */
export type Package = {
  /** As a package manager names it: `@tollgate/node`. */
  name: string
  version: string
  file: string
  /** Where it is served, without the slash in front. */
  path: string
  /** The file, compressed once more, as files are kept. */
  zipped: Uint8Array<ArrayBuffer>
}

/** The packages of this build; none where nothing has been built. */
export async function readPackages(): Promise<Package[]> {
  const list = resolve(BUILT, 'sdks.json')
  if (!existsSync(list)) return []
  const packages = JSON.parse(await readFile(list, 'utf8')) as Pick<Package, 'name' | 'version' | 'file'>[]
  return Promise.all(
    packages.map(async ({ name, version, file }) => {
      const zipped = new Uint8Array(gzipSync(await readFile(resolve(BUILT, file))))
      return { name, version, file, path: `sdk/${file}`, zipped }
    }),
  )
}
