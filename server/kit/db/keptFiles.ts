import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { PrismaClient } from '../../../prisma/client/client.ts'
import type { Context } from '../context.ts'
import type { Keyring } from '../crypto/keyring.ts'
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

type Stored = { path: string; digest: Uint8Array; mac: Uint8Array }

const digestOf = (content: Uint8Array): Buffer => createHash('sha256').update(content).digest()

/** Binds a content to its path. Only nodes have the key, so a row that someone else wrote has no valid MAC. */
const macOf = (key: Buffer, path: string, digest: Uint8Array): Buffer<ArrayBuffer> =>
  Buffer.from(createHmac('sha256', key).update(`kept file\0${path}\0`).update(digest).digest())

/**
 * Files of all versions that have run, shared by the nodes through the database. They run as scripts in merchants' pages,
 * so write access to the database must not be enough to change one: every row carries a MAC, and is ignored without it.
 */
export class KeptFiles {
  private readonly prisma: PrismaClient
  private readonly keyring: Keyring
  private readonly log: Context['log']
  private readonly lists = new Cache<ReadonlySet<string>>({ max: 1, ttl: LIST_MS })
  private readonly contents = new Cache<Uint8Array | null>({ max: MOST_CONTENTS, ttl: CONTENT_MS })

  constructor({ prisma, keyring, log }: Pick<Context, 'prisma' | 'keyring' | 'log'>) {
    this.prisma = prisma
    this.keyring = keyring
    this.log = log
  }

  /**
   * Stores the files of the starting version. Existing ones do not change, unless their MAC is not valid. Deletes files
   * with which no node has started for 400 days, except the packages of the SDKs.
   */
  async keep(files: Files): Promise<void> {
    const paths = [...files.keys()]
    const rows = [...files].map(([path, content]) => ({ path, content, mac: this.sign(path, digestOf(content)) }))
    await this.prisma.keptFile.createMany({ data: rows, skipDuplicates: true })
    await this.prisma.$executeRaw`update kept_file set used_at = now() where path = any(${paths})`
    await this.prisma.$executeRaw`
      delete from kept_file
      where used_at < now() - make_interval(days => ${FORGET_DAYS}) and path not like ${FOR_GOOD}`
    await this.repair(new Map(rows.map((row) => [row.path, row])))
  }

  /** Replaces rows of `own` that nodes did not write, and signs with the current key what an older key signed. */
  private async repair(own: ReadonlyMap<string, { content: Uint8Array<ArrayBuffer>; mac: Uint8Array<ArrayBuffer> }>) {
    const stored = await this.prisma.$queryRaw<Stored[]>`select path, sha256(content) as digest, mac from kept_file`
    for (const { path, digest, mac } of stored) {
      const current = this.sign(path, digest)
      const file = own.get(path)
      // the condition on the MAC: another node may have repaired the row since
      const where = { path, mac: Uint8Array.from(mac) }
      if (!this.isSigned(path, digest, mac)) {
        if (file) await this.prisma.keptFile.updateMany({ where, data: { content: file.content, mac: file.mac } })
      } else if (!current.equals(mac)) {
        await this.prisma.keptFile.updateMany({ where, data: { mac: current } })
      }
    }
  }

  /** The file at `path`, compressed with gzip; a file stored by another node is found within a second. */
  async find(path: string): Promise<Uint8Array | undefined> {
    const list = await this.lists.read('', async () => {
      const rows = await this.prisma.keptFile.findMany({ select: { path: true } })
      return { value: new Set(rows.map((row) => row.path)) }
    })
    if (!list?.has(path)) return undefined
    const content = await this.contents.read(path, async () => {
      const row = await this.prisma.keptFile.findUnique({ where: { path } })
      if (!row) return undefined
      if (this.isSigned(path, digestOf(row.content), row.mac)) return { value: row.content }
      this.log.error({ path }, 'a stored file does not match its MAC and is not served; start a node that has the file')
      // for a second, so that requests for it do not all reach the database and the log
      return { value: null, ttl: LIST_MS }
    })
    return content ?? undefined
  }

  private sign(path: string, digest: Uint8Array): Buffer<ArrayBuffer> {
    return macOf(this.keyring.current.key, path, digest)
  }

  private isSigned(path: string, digest: Uint8Array, mac: Uint8Array): boolean {
    return [...this.keyring.byId.values()].some(({ key }) => {
      const expected = macOf(key, path, digest)
      return expected.length === mac.length && timingSafeEqual(expected, mac)
    })
  }
}
