import type { Resource } from '../context.ts'
import { AppError } from '../error.ts'
import { Slots } from '../limits/slots.ts'
import type { HotPool } from './db.ts'
import { isConflict, isLockTimeout } from './outage.ts'

type Waiting<In, Out> = { item: In; key: string; resolve(out: Out): void; reject(error: unknown): void }

type Options<In, Out> = {
  /** Answers the items in their order. It gets at most one item of a key at a time. */
  run: (items: In[]) => Promise<Out[]>
  key: (item: In) => string
  /** The tenant of an item, for statements that lock rows of tenants. Only items of one tenant wait for each other's keys. */
  tenant?: (item: In) => string
  /** Items in one statement. */
  size?: number
  /** Maximum waiting items. More are refused with `unavailable`. */
  queue?: number
}

/** Items that wait for a batch. A lane sends one batch at a time. */
class Lane<In, Out> {
  waiting: Waiting<In, Out>[] = []
  busy = false
}

/**
 * Natural batching: a request joins the batch that is being collected, which is sent as soon as the previous one
 * is answered. There is no timer, so a single request does not wait. One batch at a time, started by setImmediate
 * (started synchronously the batches are smaller: +10 % CPU; two at a time: +4 %).
 *
 * Two items of one key never share a batch: the second waits, and sees what the first one wrote. A batch that
 * fails is retried item by item, so that one bad item fails alone. If the database is unavailable, the whole queue is
 * refused at once, because its requests have waited long enough.
 *
 * If a batch has waited too long for a lock, its tenants are tried one by one, and the one whose rows are locked fails alone. It
 * keeps a lane of its own, so that the batches of the others do not wait for it again, until a batch of it succeeds.
 */
export class BatchQueue<In = unknown, Out = unknown> {
  readonly #options: Required<Omit<Options<In, Out>, 'tenant'>> & Pick<Options<In, Out>, 'tenant'>
  readonly #common = new Lane<In, Out>()
  /** The lanes of tenants whose rows were locked, or may be. */
  readonly #apart = new Map<string, Lane<In, Out>>()
  /** Lanes apart share few connections. */
  readonly #slots = new Slots({ running: 4, waiting: Number.POSITIVE_INFINITY })
  #waiting = 0
  /** Sent since the process started. */
  batches = 0
  items = 0

  constructor(options: Options<In, Out>) {
    this.#options = { size: 200, queue: 5000, ...options }
  }

  /** Currently waiting items. */
  get waiting(): number {
    return this.#waiting
  }

  /** Adds an item and resolves with its answer. */
  add(item: In): Promise<Out> {
    return new Promise<Out>((resolve, reject) => {
      if (this.#waiting >= this.#options.queue) {
        reject(new AppError('unavailable'))
        return
      }
      const { key, tenant } = this.#options
      const apart = this.#apart.size === 0 ? undefined : this.#apart.get(tenant?.(item) ?? '')
      this.#waiting += 1
      this.#start(apart ?? this.#common, { item, key: key(item), resolve, reject })
    })
  }

  #start(lane: Lane<In, Out>, entry: Waiting<In, Out>): void {
    lane.waiting.push(entry)
    if (lane.busy) return
    lane.busy = true
    setImmediate(() => void this.#work(lane))
  }

  async #work(lane: Lane<In, Out>): Promise<void> {
    while (lane.waiting.length > 0)
      if (lane === this.#common) await this.#attempt(lane, this.#gather(lane))
      else await this.#slots.run(() => this.#attempt(lane, this.#gather(lane)))
    lane.busy = false
  }

  /** Takes the first items of the lane, one per key; the others keep their order. */
  #gather(lane: Lane<In, Out>): Waiting<In, Out>[] {
    const taken = new Map<string, Waiting<In, Out>>()
    const left: Waiting<In, Out>[] = []
    for (const entry of lane.waiting) {
      if (taken.size < this.#options.size && !taken.has(entry.key)) taken.set(entry.key, entry)
      else left.push(entry)
    }
    lane.waiting = left
    this.#waiting -= taken.size
    this.batches += 1
    this.items += taken.size
    return [...taken.values()]
  }

  async #attempt(lane: Lane<In, Out>, entries: Waiting<In, Out>[]): Promise<void> {
    try {
      const outs = await this.#options.run(entries.map((entry) => entry.item))
      for (const [i, entry] of entries.entries()) entry.resolve(outs[i] as Out)
      if (lane !== this.#common && lane.waiting.length === 0) this.#rejoin(lane)
    } catch (error) {
      const { tenant } = this.#options
      if (tenant && lane === this.#common && error instanceof AppError && isLockTimeout(error.cause))
        this.#part(entries, tenant, error)
      else if (error instanceof AppError) {
        this.#waiting -= lane.waiting.length
        for (const entry of [...entries, ...lane.waiting.splice(0)]) entry.reject(error)
      } else if (entries.length === 1) {
        entries[0]?.reject(isConflict(error) ? new AppError('unavailable', { cause: error }) : error)
      } else {
        for (const entry of entries) await this.#attempt(lane, [entry])
      }
    }
  }

  /** Gives each tenant of a batch that waited for a lock a lane of its own. */
  #part(entries: Waiting<In, Out>[], tenant: (item: In) => string, error: AppError): void {
    const tenants = new Set(entries.map(({ item }) => tenant(item)))
    for (const id of tenants) if (!this.#apart.has(id)) this.#apart.set(id, new Lane())
    // the only tenant of a batch has already waited
    if (tenants.size === 1) for (const entry of entries.splice(0)) entry.reject(error)
    this.#waiting += entries.length
    const all = [...entries, ...this.#common.waiting.splice(0)]
    for (const entry of all) this.#start(this.#apart.get(tenant(entry.item)) ?? this.#common, entry)
  }

  #rejoin(lane: Lane<In, Out>): void {
    for (const [id, each] of this.#apart) if (each === lane) this.#apart.delete(id)
  }
}

/** The batch queue of a statement, one per context. `run` gets the hot pool of the context. */
export function batchQueue<In, Out>(
  name: string,
  { run, ...options }: Omit<Options<In, Out>, 'run'> & { run: (pool: HotPool, items: In[]) => Promise<Out[]> },
): Resource<BatchQueue<In, Out>> {
  return { name, make: (ctx) => new BatchQueue({ ...options, run: (items) => run(ctx.hotPool, items) }) }
}
