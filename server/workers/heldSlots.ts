import type { NodeBounds, SlotRule } from '../kit/limits/nodeBounds.ts'

type Slot = { rule: SlotRule; key: string; held: number }

/** Which slots of the node each worker holds: a worker that ends cannot give its slots back. */
export class HeldSlots {
  readonly #bounds: NodeBounds
  readonly #byWorker = new Map<number, Map<string, Slot>>()
  readonly #ended = new Set<number>()

  constructor(bounds: NodeBounds) {
    this.#bounds = bounds
  }

  async take(worker: number, rule: SlotRule, key: string): Promise<boolean> {
    if (!(await this.#bounds.takeSlot(rule, key))) return false
    if (this.#ended.has(worker)) {
      this.#bounds.giveSlotBack(rule, key)
      return false
    }
    let own = this.#byWorker.get(worker)
    if (!own) this.#byWorker.set(worker, (own = new Map()))
    const id = `${rule.name} ${key}`
    const slot = own.get(id)
    if (slot) slot.held += 1
    else own.set(id, { rule, key, held: 1 })
    return true
  }

  giveBack(worker: number, rule: SlotRule, key: string): void {
    const own = this.#byWorker.get(worker)
    const id = `${rule.name} ${key}`
    const slot = own?.get(id)
    if (!slot) return
    slot.held -= 1
    if (slot.held === 0) own?.delete(id)
    this.#bounds.giveSlotBack(rule, key)
  }

  /** Frees all slots of a worker that has ended. Those that it still waits for are freed as soon as it would get them. */
  ended(worker: number): void {
    this.#ended.add(worker)
    for (const { rule, key, held } of this.#byWorker.get(worker)?.values() ?? [])
      for (let i = 0; i < held; i++) this.#bounds.giveSlotBack(rule, key)
    this.#byWorker.delete(worker)
  }
}
