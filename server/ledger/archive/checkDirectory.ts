import { existsSync } from 'node:fs'
import { mkdir, open, realpath, rm } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import type { Context } from '../../kit/context.ts'
import { OperatorError } from '../../kit/error.ts'
import { BUILD } from '../../kit/process/build.ts'

/** What to do, by the code of the error. */
export const REMEDIES: Record<string, string> = {
  EACCES: 'Give the account that runs the service the right to write to it',
  EPERM: 'Give the account that runs the service the right to write to it',
  EROFS: 'It is on a file system that is mounted read-only: mount it writable',
  ENOSPC: 'There is no space left: free some',
  EEXIST: 'It is not a directory: name one',
  ENOTDIR: 'It is below a file: name a directory',
}

/** What to do if the directory cannot be created or written to. */
export const directoryError = (directory: string, cause: unknown): OperatorError => {
  const { code, message } = cause as NodeJS.ErrnoException
  const remedy = REMEDIES[code ?? ''] ?? message
  return new OperatorError(
    `ARCHIVE_DIR ${directory} cannot be written (${code}). ${remedy}, or choose another directory.`,
    { cause },
  )
}

/**
 * Checks at the start that decisions can be archived to ARCHIVE_DIR, so that the job of the night does not fail. Creates the
 * directory, unless files were written to it before: then it may be a mount that is missing. Throws OperatorError, which says
 * what to do.
 */
export async function checkArchiveDirectory({ config, prisma }: Pick<Context, 'config' | 'prisma'>): Promise<void> {
  const { archiveDir: directory } = config
  if (directory === undefined) return
  await refuseServed(directory)
  if (!existsSync(directory)) {
    const last = await prisma.decisionArchive.findFirst({ orderBy: { day: 'desc' } })
    if (last)
      throw new OperatorError(
        `ARCHIVE_DIR ${directory} does not exist, but it contained the archive up to ${last.day.toISOString().slice(0, 10)}. Mount it, or correct ARCHIVE_DIR.`,
      )
  }
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 })
    await tryToWrite(directory)
  } catch (error) {
    throw directoryError(directory, error)
  }
}

async function tryToWrite(directory: string): Promise<void> {
  const file = join(directory, `.check.${process.pid}`)
  try {
    await (await open(file, 'w', 0o600)).close()
  } finally {
    await rm(file, { force: true })
  }
}

/** A build contains the files of the console, the component and the docs, which anyone can read, and the next build replaces it. */
async function refuseServed(directory: string): Promise<void> {
  const [served, place] = await Promise.all([resolved(BUILD), resolved(directory)])
  if (place === served || place.startsWith(served + sep))
    throw new OperatorError(
      `ARCHIVE_DIR ${directory} is in ${served}, whose files are served to everyone and replaced by each build. Choose a directory outside of it.`,
    )
}

/** The path without symbolic links, as far as it exists. */
async function resolved(path: string): Promise<string> {
  try {
    return await realpath(path)
  } catch {
    const parent = dirname(path)
    return parent === path ? path : join(await resolved(parent), path.slice(parent.length))
  }
}
