import { type SlotLimits, Slots } from './slots.ts'
import { type Pace, TokenBuckets } from './tokenBuckets.ts'

/** A bound of what runs at the same time, for each key. */
export type SlotRule = SlotLimits & { name: string }

/** A bound of how often something happens, for each key. */
export type PaceRule = Pace & { name: string }

/** Bounds of a node, which are counted for all its processes together: they keep its memory and CPU, so no other node counts. */
export interface NodeBounds {
  /** Takes a slot of the key, once there is one; false at once if too many wait. */
  takeSlot(rule: SlotRule, key: string): Promise<boolean>
  giveSlotBack(rule: SlotRule, key: string): void
  /** Takes a token of the key; returns 0, or the whole seconds until there is one. */
  takeToken(rule: PaceRule, key: string): number | Promise<number>
}

/** Keys of one pace that are counted at the same time. */
const MAX_KEYS = 20_000

/** The bounds of a node, in the process that counts them. */
export function createNodeBounds(): NodeBounds {
  const slots = new Map<string, Slots>()
  const buckets = new Map<string, TokenBuckets>()
  const idOf = ({ name }: SlotRule, key: string) => `${name} ${key}`
  return {
    async takeSlot(rule, key) {
      const id = idOf(rule, key)
      let own = slots.get(id)
      if (!own) slots.set(id, (own = new Slots(rule)))
      return own.take()
    },
    giveSlotBack(rule, key) {
      const id = idOf(rule, key)
      const own = slots.get(id)
      own?.giveBack()
      if (own?.isFree) slots.delete(id)
    },
    takeToken(rule, key) {
      let own = buckets.get(rule.name)
      if (!own) buckets.set(rule.name, (own = new TokenBuckets({ maxKeys: MAX_KEYS })))
      return own.take(key, rule)
    },
  }
}
