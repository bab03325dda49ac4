import type { Context } from '../kit/context.ts'
import type { DatabaseAddress } from '../kit/db/db.ts'
import type { AttemptRule } from '../kit/limits/attempts.ts'
import type { Exchange, Weight } from '../kit/limits/exchange.ts'
import type { Rule } from '../kit/limits/limiter.ts'
import type { SlotRule } from '../kit/limits/nodeBounds.ts'
import { HeldSlots } from './heldSlots.ts'

/**
 * What all processes of a node count together is counted in the primary process, which its workers ask by messages. So a limit is
 * counted by one counter, in whichever processes its requests arrive, and a worker that ends loses no count.
 */
type Parts = Pick<Context, 'limiter' | 'attempts' | 'bounds'> & {
  /** Adds the weights of one worker; returns those of all. */
  add(added: readonly Weight[]): Weight[]
  /** The sums of all workers' metrics, in Prometheus's format. */
  metrics(): Promise<string>
}

/** What the primary does for one worker. */
const actionsFor = ({ limiter, attempts, ...parts }: Parts, slots: HeldSlots, worker: number) => ({
  take: (rule: Rule, key: string) => limiter.take(rule, key),
  giveBack: (rule: Rule, key: string) => limiter.giveBack(rule, key),
  round: (rule: AttemptRule, key: string) => attempts.round(rule, key),
  beginAttempt: (rule: AttemptRule, key: string, round: number) => attempts.begin(rule, key, round),
  giveAttemptBack: (rule: AttemptRule, key: string) => attempts.giveBack(rule, key),
  failAttempt: (rule: AttemptRule, key: string) => attempts.fail(rule, key),
  takeSlot: (rule: SlotRule, key: string) => slots.take(worker, rule, key),
  giveSlotBack: (rule: SlotRule, key: string) => slots.giveBack(worker, rule, key),
  add: (added: readonly Weight[]) => parts.add(added),
  metrics: () => parts.metrics(),
})

type Actions = ReturnType<typeof actionsFor>
type Name = keyof Actions
/** `id`: of the call, among those of its worker. */
type CallOf<N extends Name> = [id: number, name: N, ...args: Parameters<Actions[N]>]
type AnyCall = { [N in Name]: CallOf<N> }[Name]

/** `error`: why there is no value. */
type Answer = [id: number, value: unknown, error?: string]

/** Calls and answers of the same turn of the event loop share a message. */
export type Calls = { type: 'calls'; calls: AnyCall[] }
export type Answers = { type: 'answers'; answers: Answer[] }

/** Messages from a worker to its primary, and back. */
export type ToPrimary = Calls | { type: 'loaded' } | { type: 'ready' }
export type ToWorker =
  | Answers
  | { type: 'begin'; database: DatabaseAddress; embedded: boolean }
  /** Another worker has taken its place: it lets its clients go there, and ends. */
  | { type: 'retire' }

/** Collects the items of a turn, and sends them together. */
function together<Item>(send: (items: Item[]) => void): (item: Item) => void {
  let items: Item[] = []
  return (item) => {
    if (items.length === 0)
      setImmediate(() => {
        send(items)
        items = []
      })
    items.push(item)
  }
}

/** The primary's side. */
export type Counting = {
  /** Answers a message of a worker. A call that takes longer delays no other. */
  answer(worker: number, message: Calls, send: (message: Answers) => void): void
  /** Frees what a worker that has ended held. */
  ended(worker: number): void
}

/** `failed` gets the errors of calls. */
export function createCounting(parts: Parts, failed: (call: Name, error: unknown) => void): Counting {
  const slots = new HeldSlots(parts.bounds)
  return {
    answer(worker, { calls }, send) {
      const actions = actionsFor(parts, slots, worker)
      const reply = together<Answer>((answers) => send({ type: 'answers', answers }))
      // a call's arguments are those of its own action
      const run = async ([, name, ...args]: AnyCall) => (actions[name] as (...args: unknown[]) => unknown)(...args)
      for (const call of calls)
        run(call).then(
          (value) => reply([call[0], value]),
          (error: unknown) => {
            failed(call[1], error)
            reply([call[0], null, error instanceof Error ? error.message : String(error)])
          },
        )
    },
    ended: (worker) => slots.ended(worker),
  }
}

/** What a worker counts with the others. */
export type Shared = Pick<Context, 'limiter' | 'attempts' | 'bounds'> & {
  /** Of the weights behind the difficulty. */
  exchange: Exchange
  metrics(): Promise<string>
}

/** The worker's side. `send` passes a message to the primary, and `receive` takes its answers. */
export function createShared(send: (message: Calls) => void): Shared & { receive(message: Answers): void } {
  const pending = new Map<number, { resolve: (value: never) => void; reject: (error: Error) => void }>()
  const queue = together<AnyCall>((calls) => send({ type: 'calls', calls }))
  let next = 0
  function ask<N extends Name>(name: N, ...args: Parameters<Actions[N]>): Promise<Awaited<ReturnType<Actions[N]>>> {
    const id = next++
    return new Promise((resolve, reject) => {
      pending.set(id, { resolve, reject })
      queue([id, name, ...args] as unknown as AnyCall)
    })
  }
  return {
    receive({ answers }) {
      for (const [id, value, error] of answers) {
        if (error === undefined) pending.get(id)?.resolve(value as never)
        else pending.get(id)?.reject(new Error(error))
        pending.delete(id)
      }
    },
    limiter: {
      take: (rule, key) => ask('take', rule, key),
      giveBack: (rule, key) => ask('giveBack', rule, key),
      state: () => 'local',
    },
    attempts: {
      round: (rule, key) => ask('round', rule, key),
      begin: (rule, key, round) => ask('beginAttempt', rule, key, round),
      giveBack: (rule, key) => ask('giveAttemptBack', rule, key),
      fail: (rule, key) => ask('failAttempt', rule, key),
    },
    bounds: {
      takeSlot: (rule, key) => ask('takeSlot', rule, key),
      giveSlotBack: (rule, key) => void ask('giveSlotBack', rule, key),
    },
    exchange: { send: (_batch, added) => ask('add', added) },
    metrics: () => ask('metrics'),
  }
}
