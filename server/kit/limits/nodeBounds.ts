import { type SlotLimits, Slots } from './slots.ts'

/** A bound of what runs at the same time, for each key. */
export type SlotRule = SlotLimits & { name: string }

/** Bounds of a node, which are counted for all its processes together: they keep its memory and CPU, so no other node counts. */
export interface NodeBounds {
  /** Takes a slot of the key, once there is one; false at once if too many wait. */
  takeSlot(rule: SlotRule, key: string): Promise<boolean>
  giveSlotBack(rule: SlotRule, key: string): void
}

/** The bounds of a node, in the process that counts them. */
export function createNodeBounds(): NodeBounds {
  const rules = new Map<string, Slots>()
  return {
    async takeSlot(rule, key) {
      let slots = rules.get(rule.name)
      if (!slots) rules.set(rule.name, (slots = new Slots(rule)))
      return slots.take(key)
    },
    giveSlotBack: ({ name }, key) => rules.get(name)?.giveBack(key),
  }
}
