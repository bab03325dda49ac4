import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { BUILD } from '../kit/process/build.ts'

const BUILT = join(BUILD, 'sdk')

/** A package of an SDK that the build has made (scripts/sdks.mjs). */
export type Package = {
  /** The package name, such as `@tollgate/node`. */
  name: string
  version: string
  file: string
  /** The path where it is served, without the leading slash. */
  path: string
  /** The file, compressed again, as stored files are. */
  zipped: Uint8Array<ArrayBuffer>
}

/** The packages of this build; empty without a build. */
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
