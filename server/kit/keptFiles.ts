import type { PrismaClient } from '../../prisma/client/client.ts'
import { Cache } from './cache.ts'

/** Files by path, compressed with gzip. */
export type Files = ReadonlyMap<string, Uint8Array<ArrayBuffer>>

/** What is asked for at random must not reach the database each time. */
const LIST_MS = 1_000
const CONTENT_MS = 3_600_000
const MOST_CONTENTS = 256
const FORGET_DAYS = 400
/** The packages of the SDKs. Lockfiles name them, and nothing says for how long. */
const FOR_GOOD = 'sdk/%'

/** Files of all versions that ran here, which nodes keep for each other in the database. */
export class KeptFiles {
  private readonly prisma: PrismaClient
  private readonly lists = new Cache<ReadonlySet<string>>({ max: 1, ttl: LIST_MS })
  private readonly contents = new Cache<Uint8Array>({ max: MOST_CONTENTS, ttl: CONTENT_MS })

  constructor(prisma: PrismaClient) {
    this.prisma = prisma
  }

  /**
   * Keeps the files of the version that starts: what is there already stays as it is. Deletes those with which no node has
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

  /** The file at `path`, compressed with gzip; what another node has kept is found a second later at most. */
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
