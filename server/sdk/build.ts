import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { BUILD } from '../kit/process/build.ts'

const BUILT = join(BUILD, 'sdk')

/** A package in the list of the build (scripts/sdks.mjs). */
type Built = {
  /** The package name, such as `@tollgate/node`. */
  name: string
  version: string
  file: string
  /** Its composer.json, if it is for PHP. */
  composer?: Readonly<Record<string, unknown>>
}

/** A package of an SDK that the build has made. */
export type Package = Built & {
  /** The path where it is served, without the leading slash. */
  path: string
  /** The file, compressed again, as stored files are. */
  zipped: Uint8Array<ArrayBuffer>
}

/** The packages of this build; empty without a build. */
export async function readPackages(): Promise<Package[]> {
  const list = resolve(BUILT, 'sdks.json')
  if (!existsSync(list)) return []
  const packages = JSON.parse(await readFile(list, 'utf8')) as Built[]
  return Promise.all(
    packages.map(async (built) => {
      const zipped = new Uint8Array(gzipSync(await readFile(resolve(BUILT, built.file))))
      return { ...built, path: `sdk/${built.file}`, zipped }
    }),
  )
}
