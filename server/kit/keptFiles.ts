import type { PrismaClient } from '../../prisma/client/client.ts'
import { Cache } from './cache.ts'

/** Files by path, compressed with gzip. */
export type Files = ReadonlyMap<string, Uint8Array<ArrayBuffer>>

/** Requests for unknown files must not all reach the database. */
const LIST_MS = 1_000
const CONTENT_MS = 3_600_000
const MOST_CONTENTS = 256
const FORGET_DAYS = 400
/** The packages of the SDKs. Lockfiles refer to them for an unknown time. */
const FOR_GOOD = 'sdk/%'

/** Files of all versions that have run, shared by the nodes through the database. */
export class KeptFiles {
  private readonly prisma: PrismaClient
  private readonly lists = new Cache<ReadonlySet<string>>({ max: 1, ttl: LIST_MS })
  private readonly contents = new Cache<Uint8Array>({ max: MOST_CONTENTS, ttl: CONTENT_MS })

  constructor(prisma: PrismaClient) {
    this.prisma = prisma
  }

  /**
   * Stores the files of the starting version; existing ones do not change. Deletes files with which no node has
   * started for 400 days, except the packages of the SDKs.
   */
  async keep(files: Files): Promise<void> {
    const paths = [...files.keys()]
    await this.prisma.keptFile.createMany({
      data: [...files].map(([path, content]) => ({ path, content })),
      skipDuplicates: true,
    })
    await this.prisma.$executeRaw`update kept_file set used_at = now() where path = any(${paths})`
    await this.prisma.$executeRaw`
      delete from kept_file
      where used_at < now() - make_interval(days => ${FORGET_DAYS}) and path not like ${FOR_GOOD}`
  }

  /** The file at `path`, compressed with gzip; a file stored by another node is found within a second. */
  async find(path: string): Promise<Uint8Array | undefined> {
    const list = await this.lists.read('', async () => {
      const rows = await this.prisma.keptFile.findMany({ select: { path: true } })
      return { value: new Set(rows.map((row) => row.path)) }
    })
    if (!list?.has(path)) return undefined
    return this.contents.read(path, async () => {
      const row = await this.prisma.keptFile.findUnique({ where: { path } })
      return row ? { value: row.content } : undefined
    })
  }
}
