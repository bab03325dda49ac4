import type { Context, Resource, Resources } from '../context.ts'
import { AppError } from '../error.ts'
import type { Log } from '../process/log.ts'
import type { HotPool } from './db.ts'

type Options<Item> = {
  write: (items: Item[]) => Promise<unknown>
  merge: (waiting: Item, added: Item) => Item
  /** Maximum waiting keys, so that memory does not grow while the database is unavailable. */
  max: number
}

/** The maximum time that an item waits while the database answers, in milliseconds. */
const DELAY_MS = 1000

/** Collects items in memory and writes them together a little later. A process that is killed loses its items. */
export class WriteBuffer<Item = unknown> {
  readonly #options: Options<Item>
  readonly #log: Log
  #waiting = new Map<string, Item>()
  #timer: NodeJS.Timeout | undefined
  #last: Promise<void> = Promise.resolve()

  constructor(options: Options<Item>, log: Log) {
    this.#options = options
    this.#log = log
  }

  /** Adds an item; a waiting item of the same key is merged with it. Above `max` keys, new ones are dropped. */
  add(key: string, item: Item): void {
    const { merge, max } = this.#options
    const present = this.#waiting.get(key)
    if (present === undefined && this.#waiting.size >= max) return
    this.#waiting.set(key, present === undefined ? item : merge(present, item))
    this.#timer ??= setTimeout(() => void this.flush(), DELAY_MS).unref()
  }

  /** Writes all waiting items. */
  flush(): Promise<void> {
    this.#last = this.#last.then(() => this.#write())
    return this.#last
  }

  async #write(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const taken = this.#waiting
    this.#waiting = new Map()
    if (taken.size === 0) return
    try {
      await this.#options.write([...taken.values()])
    } catch (err) {
      // It may have been written nevertheless. The hourly job repairs duplicate counts, but cannot find all
      // missing ones.
      if (err instanceof AppError) for (const [key, item] of taken) this.add(key, item)
      // items that the database rejects must not keep the others from being written
      else this.#log.error({ err, lost: taken.size }, 'items of a write buffer were lost')
    }
  }
}

/** A write buffer, one per context. `write` gets the hot pool of the context. */
export function writeBuffer<Item>(
  name: string,
  { write, ...options }: Omit<Options<Item>, 'write'> & { write: (pool: HotPool, items: Item[]) => Promise<unknown> },
): Resource<WriteBuffer<Item>> {
  return {
    name,
    make: (ctx: Context) => new WriteBuffer({ ...options, write: (items) => write(ctx.hotPool, items) }, ctx.log),
  }
}

/** Writes all waiting items of all buffers of the context. */
export async function flushAll(resources: Resources): Promise<void> {
  await Promise.all(resources.all(WriteBuffer).map(({ value }) => value.flush()))
}
