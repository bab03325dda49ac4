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
  /** Whether it is the plugin for WordPress. */
  plugin?: true
}

/** A file that the build has made. */
export type SdkFile = {
  /** The path where it is served, without the leading slash. */
  path: string
  /** The file, compressed again, as stored files are. */
  zipped: Uint8Array<ArrayBuffer>
}

export type Package = Built & SdkFile

export type Sdks = {
  packages: readonly Package[]
  /** What they were built from, as an in-toto statement. */
  provenance?: SdkFile
}

const readSdkFile = async (file: string): Promise<SdkFile> => ({
  path: `sdk/${file}`,
  zipped: new Uint8Array(gzipSync(await readFile(resolve(BUILT, file)))),
})

/** The packages of this build; none without a build. */
export async function readSdks(): Promise<Sdks> {
  const list = resolve(BUILT, 'sdks.json')
  if (!existsSync(list)) return { packages: [] }
  const sdks = JSON.parse(await readFile(list, 'utf8')) as { packages: Built[]; provenance: string }
  const packages = sdks.packages.map(async (built) => ({ ...built, ...(await readSdkFile(built.file)) }))
  return { packages: await Promise.all(packages), provenance: await readSdkFile(sdks.provenance) }
}

/** All of its files, by their paths. */
export const filesOf = ({ packages, provenance }: Sdks): Map<string, Uint8Array<ArrayBuffer>> =>
  new Map([...packages, ...(provenance ? [provenance] : [])].map(({ path, zipped }) => [path, zipped]))
