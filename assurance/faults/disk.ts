import { execFileSync } from 'node:child_process'
import { chmodSync, closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const SIZE = '1200m'
const CHUNK = Buffer.alloc(1024 * 1024)

/** A directory with a file system of its own, so that it can be full without the machine's disk being full. */
export type Disk = { path: string; fill(): void; free(): void; close(): void }

/** Mounts a file system in memory, which only root can; otherwise returns why there is none. */
export function mountDisk(): Disk | string {
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    return 'needs root on Linux, to mount a small file system'
  const path = mkdtempSync(join(tmpdir(), 'tollgate-disk-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE},mode=755`, 'tmpfs', path], { stdio: 'pipe' })
  } catch (error) {
    rmSync(path, { recursive: true })
    return `this machine cannot mount a file system: ${(error as Error).message.trim().split('\n').at(-1)}`
  }
  chmodSync(path, 0o755)
  const ballast = join(path, 'ballast')
  return {
    path,
    fill() {
      const file = openSync(ballast, 'a')
      try {
        for (let size = CHUNK.length; size >= 1; size = size >> 1) fillBy(file, size)
      } finally {
        closeSync(file)
      }
    },
    free: () => rmSync(ballast, { force: true }),
    close() {
      execFileSync('umount', [path])
      rmSync(path, { recursive: true, force: true })
    },
  }
}

/** Appends pieces of `size` bytes until none fits. */
function fillBy(file: number, size: number): void {
  try {
    for (;;) if (writeSync(file, CHUNK, 0, size) < size) return
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  }
}
