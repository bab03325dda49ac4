import type { PrismaClient } from '../../prisma/client/client.ts'
import type { Config } from './config/config.ts'
import type { Keyring } from './crypto/keyring.ts'
import type { Clock } from './db/clock.ts'
import type { HotPool } from './db/db.ts'
import type { Invalidations } from './db/invalidations.ts'
import type { Attempts } from './limits/attempts.ts'
import type { Exchange } from './limits/exchange.ts'
import type { Limiter } from './limits/limiter.ts'
import type { NodeBounds } from './limits/nodeBounds.ts'
import type { Log } from './process/log.ts'
import type { Mail } from './process/mail.ts'
import type { Tracing } from './process/tracing.ts'

/** The services that every function can use. Only accounts/access.ts extends it to the context of a site, a visitor or a tenant. */
export type Context = Readonly<{
  config: Config
  log: Log
  /** Undefined unless a collector is configured. */
  tracing: Tracing | undefined
  clock: Clock
  keyring: Keyring
  limiter: Limiter
  attempts: Attempts
  bounds: NodeBounds
  /** With the other nodes; undefined without REDIS_URL. */
  exchange: Exchange | undefined
  /** For the prepared statements of the verification path; everything else goes through `prisma`. */
  hotPool: HotPool
  /** State of this process: batch queues, write buffers, caches, counters. */
  resources: Resources
  prisma: PrismaClient
  mail: Mail
  invalidations: Invalidations
}>

/** Something that a context makes on first use and keeps: a batch queue, a write buffer, a cache, a set of counters. */
export type Resource<Value> = {
  name: string
  make(ctx: Context): Value
}

/** All state that a process keeps for one context. Two contexts, as in tests, share nothing. */
export class Resources {
  readonly #values = new Map<Resource<unknown>, unknown>()
  readonly #context: () => Context

  constructor(context: () => Context) {
    this.#context = context
  }

  /** The context's own instance of the resource. */
  of<Value>(resource: Resource<Value>): Value {
    const known = this.#values.get(resource)
    // one look-up instead of two, of which each request makes many
    if (known !== undefined) return known as Value
    const made = resource.make(this.#context())
    this.#values.set(resource, made)
    return made
  }

  /** The existing instances of one class, with the names of their resources. */
  all<Value>(type: abstract new (...args: never[]) => Value): { name: string; value: Value }[] {
    return [...this.#values].flatMap(([{ name }, value]) => (value instanceof type ? [{ name, value }] : []))
  }
}
