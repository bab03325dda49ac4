import type { Context } from './context.ts'
import type { Road } from './db.ts'
import { Refusal } from './refusal.ts'

/** What is gathered in memory and written a little later, many at once. What is lost with the process is lost. */
export interface Behind<Item> {
  /** Adds an item; one of the same key that still waits is merged with it. Beyond `max` keys new ones are dropped. */
  add(key: string, item: Item): void
}

type Options<Item> = {
  write: (items: Item[]) => Promise<unknown>
  merge: (waiting: Item, added: Item) => Item
  /** Keys that may wait: while the database is away memory must not grow. */
  max: number
}

/** How long an item waits at most while the database answers, in milliseconds. */
const DELAY_MS = 1000

type Writing = { settle(): Promise<void> }

const writing = new WeakMap<Road, Set<Writing>>()

function create<Item>({ write, merge, max }: Options<Item>, log: Context['log']): Behind<Item> & Writing {
  let waiting = new Map<string, Item>()
  let timer: NodeJS.Timeout | undefined
  let last: Promise<void> = Promise.resolve()

  function add(key: string, item: Item): void {
    const present = waiting.get(key)
    if (present === undefined && waiting.size >= max) return
    waiting.set(key, present === undefined ? item : merge(present, item))
    timer ??= setTimeout(() => void settle(), DELAY_MS).unref()
  }

  async function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    const taken = waiting
    waiting = new Map()
    if (taken.size === 0) return
    try {
      await write([...taken.values()])
    } catch (err) {
      // It may have been written all the same. Counted twice is mended by the job; not counted at all might not be.
      if (err instanceof Refusal) for (const [key, item] of taken) add(key, item)
      // what the database will never take must not keep everything else from being written
      else log.error({ err, lost: taken.size }, 'what was to be written behind the road is lost')
    }
  }

  function settle(): Promise<void> {
    last = last.then(flush)
    return last
  }
  return { add, settle }
}

/** One per road, as with batches: a process may serve several databases. */
export function behindPerRoad<Item>(
  options: (road: Road) => Options<Item>,
): (ctx: Pick<Context, 'road' | 'log'>) => Behind<Item> {
  const made = new WeakMap<Road, Behind<Item>>()
  return ({ road, log }) => {
    const present = made.get(road)
    if (present) return present
    const behind = create(options(road), log)
    made.set(road, behind)
    writing.set(road, (writing.get(road) ?? new Set()).add(behind))
    return behind
  }
}

/** Writes everything that waits for the road: before its database is closed. */
export async function settle(road: Road): Promise<void> {
  await Promise.all([...(writing.get(road) ?? [])].map((behind) => behind.settle()))
}
