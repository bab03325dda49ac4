import type { Context, Resource } from '../../../kit/context.ts'
import { type Added, decayed, type Exchange, type Weight } from '../../../kit/limits/exchange.ts'
import { FirstTimes } from '../../../kit/limits/firstTimes.ts'
import { DecayingCounter } from './decay.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const MAX_KEYS = 100_000

/** Nodes exchange what they counted so often, if they counted something. */
const EVERY_MS = SECOND
const MOST_SENT = 1000

/**
 * What is counted. `id`: the first letter of its keys outside of this process. `shared`: the weight from which on other
 * nodes are sent a key; most networks are seen once, and stay here. `loud`: the weight from which on other nodes are sent it
 * even if they did not count it.
 */
const COUNTERS = {
  /** Solved challenges by network and tenant. */
  own: { id: 't', halfLife: 2 * MINUTE, shared: 2, loud: 12 },
  /** Solved challenges by network, for all tenants of the deployment: what each may add is bounded (busy.ts). */
  network: { id: 'n', halfLife: 2 * MINUTE, shared: 2, loud: 12 },
  /** Solved challenges of busy networks over days: what is usual for them. */
  usual: { id: 'u', halfLife: 48 * HOUR, shared: 2, loud: 12 },
  /** Solved challenges of all networks together. */
  all: { id: 'a', halfLife: 2 * MINUTE, shared: 0, loud: 0 },
  /** Unsolved challenges by network and tenant. */
  unsolved: { id: 'o', halfLife: 40 * SECOND, shared: 2, loud: 2 },
  /** Challenges by site and subject. */
  subject: { id: 's', halfLife: 2 * MINUTE, shared: 0, loud: 4 },
  /** Solved challenges by site, over minutes and hours. */
  siteNow: { id: 'r', halfLife: 2 * MINUTE, shared: 0, loud: 0 },
  siteUsual: { id: 'h', halfLife: HOUR, shared: 0, loud: 0 },
  /** Challenges of SHA-256 in place of HashWX, of all networks together and by network. */
  fallback: { id: 'f', halfLife: 2 * MINUTE, shared: 0, loud: 0 },
  /** Solved ones by network over days: whether it had them before. */
  fallbackUsual: { id: 'g', halfLife: 48 * HOUR, shared: 0, loud: 1 },
} as const
export type CounterName = keyof typeof COUNTERS
const NAMES = Object.keys(COUNTERS) as CounterName[]
const counterNamed = (id: string | undefined): CounterName | undefined => NAMES.find((name) => COUNTERS[name].id === id)

/**
 * The counters behind the difficulty. A count is seen here at once, and by the other nodes about a second later. While they
 * cannot be reached, each node counts by itself, and sends it when they can be reached again.
 */
export class Counts {
  private readonly counters: Record<CounterName, DecayingCounter>
  private readonly exchange: Exchange | undefined
  private readonly now: () => number
  private readonly credits = new FirstTimes()
  private sending: { number: number; at: number; added: Added[] } | undefined
  private number = 0
  private running: Promise<void> | undefined
  private timer: NodeJS.Timeout | undefined
  /** Whether nothing was counted since the last snapshot (snapshot.ts). */
  isSaved = true

  constructor({ exchange, now }: { exchange: Exchange | undefined; now: () => number }) {
    this.exchange = exchange
    this.now = now
    const counter = (kind: CounterName) => {
      const { halfLife, shared } = COUNTERS[kind]
      return new DecayingCounter({ halfLife, maxKeys: MAX_KEYS, ...(exchange && { sharedFrom: shared }) })
    }
    this.counters = Object.fromEntries(NAMES.map((kind) => [kind, counter(kind)])) as Record<
      CounterName,
      DecayingCounter
    >
  }

  of(kind: CounterName): DecayingCounter {
    return this.counters[kind]
  }

  /** To be called after something was counted. */
  changed(): void {
    this.isSaved = false
    if (this.exchange) this.timer ??= setTimeout(() => void this.share(), EVERY_MS).unref()
  }

  /** Exchanges with the other nodes now. */
  share(): Promise<void> {
    clearTimeout(this.timer)
    this.timer = undefined
    this.running ??= this.send().finally(() => {
      this.running = undefined
      if (this.sending || NAMES.some((kind) => this.counters[kind].isChanged)) this.changed()
    })
    return this.running
  }

  private async send(): Promise<void> {
    if (!this.exchange) return
    this.sending ??= { number: ++this.number, at: this.now(), added: this.take() }
    const { number, at, added } = this.sending
    const passed = this.now() - at
    const totals = await this.exchange.send(
      number,
      added.map((one) => ({ ...one, value: decayed(one.value, passed, one.halfLife), age: one.age + passed })),
    )
    if (!totals) return
    this.sending = undefined
    this.merge(totals)
  }

  private take(): Added[] {
    const now = this.now()
    const added: Added[] = []
    for (const kind of NAMES) {
      const { id, halfLife, loud } = COUNTERS[kind]
      for (const weight of this.counters[kind].take(now, MOST_SENT - added.length))
        added.push({ ...weight, key: id + weight.key, halfLife, loud })
    }
    return added
  }

  /** Sets the weights to those totals, less `passed` milliseconds since. */
  merge(totals: readonly Weight[], passed = 0): void {
    const now = this.now()
    for (const { key, value, age } of totals) {
      const kind = counterNamed(key[0])
      if (!kind) continue
      const counter = this.counters[kind]
      const weight = { key: key.slice(1), value: decayed(value, passed, counter.halfLife), age: age + passed }
      // other nodes' weights only add up, so a smaller total is that of a Redis that was emptied; challenges can be solved
      counter.merge(weight, now, { least: kind !== 'unsolved' })
    }
  }

  /** Adds what another process of this machine counted, and returns the totals of its keys. */
  add(added: readonly Weight[]): Weight[] {
    const now = this.now()
    this.changed()
    return added.flatMap(({ key, value, age, once }) => {
      const kind = counterNamed(key[0])
      if (!kind) return []
      const [counter, name] = [this.counters[kind], key.slice(1)]
      if (once === undefined) return [{ key, value: counter.count(name, now, value), age }]
      if (this.credits.isFirst(`${once} ${key}`)) counter.credit(name, now, -value, once)
      return [{ key, value: counter.weight(name, now), age }]
    })
  }

  /** The loud weights of the kind, the largest first, with the keys that they have outside of this process. */
  loudest(kind: CounterName, most: number): Weight[] {
    return this.counters[kind]
      .largest(most, this.now())
      .filter(({ value }) => value >= COUNTERS[kind].loud)
      .map((weight) => ({ ...weight, key: COUNTERS[kind].id + weight.key }))
  }

  /** Sends what was counted, once more, and stops. */
  async close(): Promise<void> {
    await this.running
    await this.share()
    clearTimeout(this.timer)
  }
}

/** The counters of the context. */
export const COUNTS: Resource<Counts> = {
  name: 'challenge counts',
  make: ({ exchange, clock }: Context) => new Counts({ exchange, now: () => clock.now() }),
}
