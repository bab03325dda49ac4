import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Files } from '../kit/db/keptFiles.ts'
import { BUILD } from '../kit/process/build.ts'

/** The build's output directory for the component. */
export const WIDGET = join(BUILD, 'widget')
const SCRIPT = 'widget.js'

/** The component's current script; `name` changes with its content. */
export type Script = { name: string; integrity: string }

/** Read at each call, because `npm run dev` replaces it while the service runs. Hashing is fast. */
export async function readScript(): Promise<Script> {
  const code = await readFile(resolve(WIDGET, SCRIPT))
  const digest = createHash('sha384').update(code).digest()
  return {
    name: `widget-${digest.toString('hex').slice(0, 16)}.js`,
    integrity: `sha384-${digest.toString('base64')}`,
  }
}

/** The paths of all files that the component may load, including itself. */
export async function listFiles(): Promise<string[]> {
  const names = await readdir(WIDGET, { recursive: true })
  return names
    .filter((name) => /\.(js|json|wasm)$/.test(name))
    .map((name) => name.replace(/^assets/, 'widget/assets'))
    .toSorted()
}

/** The immutable files by path; empty without a build. */
export async function readImmutableFiles(): Promise<Files> {
  if (!existsSync(resolve(WIDGET, SCRIPT))) return new Map()
  const { name } = await readScript()
  const files = await listFiles()
  return new Map(
    await Promise.all(
      files.map(
        async (path): Promise<[string, Uint8Array<ArrayBuffer>]> => [
          path === SCRIPT ? name : path,
          await readCompressed(resolve(WIDGET, path.replace(/^widget\//, ''))),
        ],
      ),
    ),
  )
}

async function readCompressed(file: string): Promise<Uint8Array<ArrayBuffer>> {
  const compressed = `${file}.gz`
  return new Uint8Array(existsSync(compressed) ? await readFile(compressed) : gzipSync(await readFile(file)))
}
