import type { Context } from './context.ts'

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
    if (!this.#values.has(resource)) this.#values.set(resource, resource.make(this.#context()))
    return this.#values.get(resource) as Value
  }

  /** The existing instances of one class, with the names of their resources. */
  all<Value>(type: abstract new (...args: never[]) => Value): { name: string; value: Value }[] {
    return [...this.#values].flatMap(([{ name }, value]) => (value instanceof type ? [{ name, value }] : []))
  }
}
