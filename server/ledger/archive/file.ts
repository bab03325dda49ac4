import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { open, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'

/** Decisions of a UTC day, compressed: one JSON object per line. */
export const fileOf = (day: string): string => `decisions-${day}.ndjson.gz`

/**
 * Writes lines to a file, compressed with gzip, and beside it a manifest that names its day, lines and checksum. Both appear only
 * when they are complete and on the disk; those of an earlier attempt are replaced. `sha256`: of the compressed file, in hex.
 */
export async function writeArchive(
  directory: string,
  day: string,
  lines: AsyncIterable<string>,
): Promise<{ file: string; rows: number; sha256: string }> {
  const file = fileOf(day)
  const hash = createHash('sha256')
  let rows = 0
  let bytes = 0
  async function* counted() {
    for await (const line of lines) {
      rows += 1
      yield `${line}\n`
    }
  }
  async function* hashed(chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      hash.update(chunk)
      bytes += chunk.length
      yield chunk
    }
  }
  await place(directory, file, (part) =>
    pipeline(Readable.from(counted()), createGzip(), hashed, createWriteStream(part, { mode: 0o600 })),
  )
  const sha256 = hash.digest('hex')
  const manifest = JSON.stringify({ format: 1, day, file, rows, bytes, sha256 }, null, 2)
  await place(directory, `decisions-${day}.json`, (part) => writeFile(part, `${manifest}\n`, { mode: 0o600 }))
  return { file, rows, sha256 }
}

/** Gives a file its name once it is on the disk. */
async function place(directory: string, name: string, write: (part: string) => Promise<void>): Promise<void> {
  const part = join(directory, `.${name}.${process.pid}`)
  try {
    await write(part)
    await sync(part)
    await rename(part, join(directory, name))
    await sync(directory)
  } finally {
    await rm(part, { force: true })
  }
}

async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** SHA-256 of a file, in hex; undefined if there is none. */
export async function checksumOf(path: string): Promise<string | undefined> {
  const hash = createHash('sha256')
  try {
    for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  return hash.digest('hex')
}
